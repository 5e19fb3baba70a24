// Edits of an alert that are not saved yet. Pure.
import type { BatchRequest, WritableSchema } from "../../api.ts";
import { type Alert, CONDITIONS, REPORTS, TYPES } from "../../results/alert-words.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";
import { durationInWords } from "../../ui/time-text.ts";

export type StoredAlert = Stored<Alert>;
export type Report = (typeof REPORTS)[number]["id"];

export type Fields = Pick<Alert, "name" | "alertType" | "condition" | "alertThreshold" | "windowMs" | "priority"> &
  TeamFields &
  OwnerFields & {
    /** The message. The fields of every entity call it so. */
    description: string;
    tags: string[];
    metric: string;
    warningThreshold: number | null;
    reports: readonly Report[];
    /** Null without reports. */
    reportsEveryMs: number | null;
    /** Empty if reports have the alert's message. */
    reportMessage: string;
  };

export type AlertDraft = FieldsDraft<Alert, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  metric: { label: "Metric", as: "value" },
  alertType: { label: "Compare", as: "value" },
  condition: { label: "Condition", as: "value" },
  alertThreshold: { label: "Alert threshold", as: "value" },
  warningThreshold: { label: "Warning threshold", as: "value" },
  windowMs: { label: "Window", as: "value" },
  priority: { label: "Priority", as: "value" },
  reports: { label: "Repeated reports", as: "names" },
  reportsEveryMs: { label: "Time between reports", as: "value" },
  reportMessage: { label: "Message in repeated reports", as: "text" },
  name: { label: "Name", as: "value" },
  description: { label: "Message", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

/** The reports come in one order, so that choosing one again is not a change. */
const inOrder = (reports: readonly Report[]): Report[] => REPORTS.map(({ id }) => id).filter((id) => reports.includes(id));

const toFields = (alert: Alert): Fields => ({
  name: alert.name ?? "",
  description: alert.message ?? "",
  tags: alert.tags ?? [],
  ...toTeamFields(alert),
  owner: alert.owner ?? null,
  metric: alert.metrics.A.id,
  alertType: alert.alertType,
  condition: alert.condition,
  alertThreshold: alert.alertThreshold,
  warningThreshold: alert.warningThreshold ?? null,
  windowMs: alert.windowMs,
  priority: alert.priority,
  reports: inOrder(alert.renotificationConditions ?? []),
  reportsEveryMs: alert.renotificationWindowMs ?? null,
  reportMessage: alert.renotificationMessage ?? "",
});

export const alertModel = fieldsModel<Alert, Fields>(WORDS, toFields);

const USUAL_REPORT_MS = 4 * 60 * 60_000;

/** The fields that follow from repeated reports: how often, and with which message. */
export function withReport(fields: Fields, report: Report, isReported: boolean): Partial<Fields> {
  const reports = inOrder(isReported ? [...fields.reports, report] : fields.reports.filter((one) => one !== report));
  if (reports.length === 0) return { reports, reportsEveryMs: null, reportMessage: "" };
  return { reports, reportsEveryMs: fields.reportsEveryMs ?? USUAL_REPORT_MS };
}

/** The fields that follow from a condition: without an order, no warning comes before the alert. */
export function withCondition(condition: Fields["condition"]): Partial<Fields> {
  return { condition, ...(hasWarning(condition) ? {} : { warningThreshold: null }) };
}

export const hasWarning = (condition: Fields["condition"]): boolean => condition !== "equal" && condition !== "not_equal";

export function toWriteRequests(draft: AlertDraft): BatchRequest[] {
  const { description, metric, reports, reportsEveryMs, reportMessage, ...fields } = changedParts(alertModel, draft);
  const body: WritableSchema<"AlertPatch"> = {
    ...fields,
    ...(description !== undefined && { message: description }),
    ...(metric !== undefined && { metrics: { A: { id: metric } } }),
    ...(reports !== undefined && { renotificationConditions: [...reports] }),
    ...(reportsEveryMs !== undefined && { renotificationWindowMs: reportsEveryMs }),
    ...(reportMessage !== undefined && { renotificationMessage: reportMessage === "" ? null : reportMessage }),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "patchAlert", path: { id: draft.stored.entity.id }, body, ifMatch: draft.stored.etag }];
}

/** Fields as the review shows them. */
const shown = (fields: Fields) => ({
  ...fields,
  alertType: TYPES[fields.alertType].label,
  condition: CONDITIONS[fields.condition],
  windowMs: durationInWords(fields.windowMs),
  reports: fields.reports.map((report) => REPORTS.find(({ id }) => id === report)?.label ?? report),
  reportsEveryMs: fields.reportsEveryMs === null ? null : durationInWords(fields.reportsEveryMs),
});

const described = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields<Record<keyof Fields, unknown>>(WORDS, { type: "alert", noun: "Alert", id }, shown(before), shown(after));

/** The changes of a draft in words. */
export const describeDraft = ({ stored: { entity }, fields }: AlertDraft) => described(entity.id, toFields(entity), fields);

/** The differences between two versions, in words. */
export const describeVersions = (before: Alert, after: Alert) => described(after.id, toFields(before), toFields(after));

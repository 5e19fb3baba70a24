import type { Request } from "../../api.ts";
import { AUDITED_TYPES } from "../../kinds/kinds.ts";
import { oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

const VIEWS = ["changes", "trail", "instance"] as const;
export type View = (typeof VIEWS)[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** The search parameters of the audit log. */
export function auditLogSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    view: oneOf(search, "view", VIEWS),
    person: textIn(search, "person"),
    type: oneOf(search, "type", AUDITED_TYPES),
    entity: textIn(search, "entity"),
    operation: textIn(search, "operation"),
    from: dayIn(search, "from"),
    to: dayIn(search, "to"),
  });
}

export type AuditLogSearch = ReturnType<typeof auditLogSearch>;

/** A day in UTC, so that a link means the same everywhere. */
function dayIn(search: Record<string, unknown>, name: string): string | undefined {
  const day = textIn(search, name);
  return day !== undefined && DAY.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

/** The filter for changes. The last day counts whole. */
export function changesFilter({ person, type, entity, from, to }: AuditLogSearch): NonNullable<Request<"listChanges">["query"]> {
  return withoutAbsent({
    actorID: person,
    entityType: type,
    entityID: entity,
    startTime: from === undefined ? undefined : Date.parse(from),
    endTime: to === undefined ? undefined : Date.parse(to) + DAY_MS,
  });
}

/** The filters of the audit log. */
export function trailFilter({ operation, from, to }: AuditLogSearch): NonNullable<Request<"listAuditLogs">["query"]> {
  return withoutAbsent({ actionType: operation, startDate: from, endDate: to });
}

/** Whether the view shows less than everything. */
export function isFiltered({ view = "changes", ...search }: AuditLogSearch): boolean {
  return Object.keys(view === "changes" ? changesFilter(search) : trailFilter(search)).length > 0;
}

/** Periods that end now, by the days before today that they begin. */
export const PERIODS: Readonly<Record<string, { label: string; daysBefore: number | undefined }>> = {
  any: { label: "Any time", daysBefore: undefined },
  today: { label: "Today", daysBefore: 0 },
  week: { label: "Last 7 days", daysBefore: 6 },
  month: { label: "Last 30 days", daysBefore: 29 },
};
export const CUSTOM = "custom";

/** The first day in UTC of a period. Undefined for any time. @param now ms since the epoch */
export function firstDay(period: string, now: number): string | undefined {
  const before = PERIODS[period]?.daysBefore;
  return before === undefined ? undefined : new Date(now - before * DAY_MS).toISOString().slice(0, 10);
}

/** The period that the address's days are, or `CUSTOM`. */
export const periodOf = ({ from, to }: AuditLogSearch, now: number): string =>
  (to === undefined && Object.keys(PERIODS).find((id) => firstDay(id, now) === from)) || CUSTOM;

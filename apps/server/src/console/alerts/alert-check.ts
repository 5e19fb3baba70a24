import type { Schema } from "@gatehouse/contract/console";
import type { Alert } from "./alert.ts";
import { describeComparison, type Finding, findLevel } from "./alert-thresholds.ts";

export type AlertEvent = Schema<"AlertEvent">;
type EventType = AlertEvent["eventType"];
type Status = NonNullable<Alert["status"]>;

/** The state after the last check: its finding, and the latest report of an event. */
export type CheckState = {
  status: Status | null;
  statusReason: string | null;
  value: number | null;
  /** Times are ms. */
  checkedTime: number | null;
  lastTriggeredTime: number | null;
  /** The last report that has not ended. */
  lasting: Exclude<EventType, "resolve"> | null;
  /** When it was reported last. */
  reportTime: number | null;
};

/** An event as a check makes it. The store gives it an id. */
type NewEvent = Omit<AlertEvent, "id" | "multiAlertGroupBys">;

export const NOT_CHECKED: CheckState = {
  status: null,
  statusReason: null,
  value: null,
  checkedTime: null,
  lastTriggeredTime: null,
  lasting: null,
  reportTime: null,
};

/** The result of a check: the state, and an event if something began, ended, or has lasted long enough to be reported again. */
export type Outcome = { state: CheckState; event?: NewEvent; isReport?: boolean };

/** The alert with the last check's finding, for answers. */
export function withCheck(alert: Alert, state: CheckState | undefined): Alert {
  if (!state) return alert;
  const { status, statusReason, value, checkedTime, lastTriggeredTime } = state;
  return { ...alert, status, statusReason, value, checkedTime, lastTriggeredTime };
}

/** An alert with the name of its metric for people. */
type Checked = { alert: Alert; metricName: string };

/** Applies a finding to an alert. @param now ms */
export function checked(before: CheckState, finding: Finding, of: Checked, now: number): Outcome {
  const { alert } = of;
  const { status, lasting, reason } = finding.value === null ? withoutValue(before, finding) : withValue(finding.value, of);
  const isBegun = lasting !== before.lasting && !isResumed(before, status, lasting);
  const type = lasting ?? "resolve";
  const isReport = !isBegun && isDue(before, lasting, alert, now);
  const state: CheckState = {
    ...{ status, statusReason: reason, value: finding.value, checkedTime: now },
    lastTriggeredTime: isBegun && type === "raise" ? now : before.lastTriggeredTime,
    lasting,
    reportTime: isBegun || isReport ? now : before.reportTime,
  };
  if (!isBegun && !isReport) return { state };
  const message = isReport ? (alert.renotificationMessage ?? alert.message) : alert.message;
  const content = { reason, value: finding.value, resolvedBy: null, createdTime: now };
  return { state, event: { eventType: type, title: formatTitle(type, alert), message, ...content }, isReport };
}

/** The outcome when someone resolves an open alert; undefined if it is not open. */
export function resolved(
  before: CheckState,
  alert: Alert,
  by: { name: string; now: number; reasoning: string | null },
): Outcome | undefined {
  if (before.status !== "alert" && before.status !== "warn") return undefined;
  const reason = by.reasoning ?? `${by.name} resolved the alert.`;
  const state: CheckState = {
    ...before,
    status: "stable",
    statusReason: `${by.name} resolved the alert.`,
    lasting: null,
    reportTime: null,
  };
  const content = { message: alert.message, reason, value: before.value, resolvedBy: by.name, createdTime: by.now };
  return { state, event: { eventType: "resolve", title: formatTitle("resolve", alert), ...content } };
}

type Now = { status: Status; lasting: CheckState["lasting"]; reason: string };

function withValue(value: number, { alert, metricName }: Checked): Now {
  const status = findLevel(value, alert);
  const lasting = ({ alert: "raise", warn: "warn", stable: null } as const)[status];
  return { status, lasting, reason: describeComparison(value, alert, metricName) };
}

/** An alert that was never complete has lost no data. Without a value, an open alert stays open. */
function withoutValue(before: CheckState, { reason, isIncomplete }: Extract<Finding, { value: null }>): Now {
  if (!isIncomplete) return { status: isKept(before.status) ? before.status : "stable", lasting: "no-data", reason };
  const wasComplete = before.status !== null && before.status !== "setup_incomplete";
  return { status: "setup_incomplete", lasting: wasComplete ? "no-data" : before.lasting, reason };
}

/** Whether an alert that stayed open without a value has one again, and is as open as before. */
function isResumed(before: CheckState, status: Status, lasting: CheckState["lasting"]): boolean {
  return before.lasting === "no-data" && lasting !== null && isKept(before.status) && status === before.status;
}

const isKept = (status: CheckState["status"]): status is "alert" | "warn" => status === "alert" || status === "warn";

function isDue({ reportTime }: CheckState, lasting: CheckState["lasting"], alert: Alert, now: number): boolean {
  const { renotificationConditions = [], renotificationWindowMs } = alert;
  if (lasting === null || renotificationWindowMs === undefined || !renotificationConditions.includes(lasting)) return false;
  return now - (reportTime ?? now) >= renotificationWindowMs;
}

const TITLES: Record<EventType, string> = { raise: "Alert", warn: "Warning", resolve: "Resolved", "no-data": "No data" };

function formatTitle(type: EventType, { name }: Alert): string {
  return `${TITLES[type]}: ${name}`;
}

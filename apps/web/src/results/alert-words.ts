// Alerts in words. Pure.
import type { Schema } from "../api.ts";
import { formatNumber } from "../ui/number-text.ts";
import { durationInWords } from "../ui/time-text.ts";

export type Alert = Schema<"Alert">;
export type AlertEvent = Schema<"AlertEvent">;

export const CONDITIONS: Readonly<Record<Alert["condition"], string>> = {
  greater: "greater than",
  greater_or_equal: "greater than or equal to",
  less: "less than",
  less_or_equal: "less than or equal to",
  equal: "equal to",
  not_equal: "different from",
};

export const TYPES: Readonly<Record<Alert["alertType"], { label: string; subject: string; unit: string }>> = {
  threshold: { label: "Value over the window", subject: "value", unit: "" },
  change: { label: "Change from the previous window", subject: "change", unit: "" },
  pct_change: { label: "Percent change from the previous window", subject: "change", unit: "%" },
};

export const PRIORITIES = ["P0", "P1", "P2", "P3", "P4", "P5"] as const satisfies readonly Alert["priority"][];

type Shown = { name: string; tone: "good" | "warn" | "bad" | "off" };

const STATUSES: Readonly<Record<NonNullable<Alert["status"]>, Shown>> = {
  stable: { name: "Stable", tone: "good" },
  warn: { name: "Warning", tone: "warn" },
  alert: { name: "Alert", tone: "bad" },
  setup_incomplete: { name: "Setup incomplete", tone: "warn" },
};

/** The names of statuses, for the filter of the list of alerts. */
export const STATUS_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATUSES).map(([status, { name }]) => [status, name]),
);

/** Null before the first check. */
export const describeStatus = ({ status }: Pick<Alert, "status">): Shown =>
  status === null ? { name: "Not checked yet", tone: "off" } : STATUSES[status];

export const EVENTS: Readonly<Record<AlertEvent["eventType"], Shown>> = {
  raise: { name: "Alert", tone: "bad" },
  warn: { name: "Warning", tone: "warn" },
  resolve: { name: "Resolved", tone: "good" },
  "no-data": { name: "No data", tone: "off" },
};

/** Notifications that can be repeated. */
export const REPORTS = [
  { id: "raise", label: "An alert" },
  { id: "warn", label: "A warning" },
  { id: "no-data", label: "Missing data" },
] as const;

export const isOpen = ({ status }: Pick<Alert, "status">): boolean => status === "alert" || status === "warn";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DURATIONS = [5, 10, 15, 30]
  .map((count) => count * MINUTE_MS)
  .concat(
    [1, 2, 4, 6, 12].map((count) => count * HOUR_MS),
    [1, 2, 7, 14, 28, 30].map((count) => count * DAY_MS),
  );

/** The durations to choose from. One that a program set is among them. */
export function durationOptions(current: number | null): { id: string; label: string }[] {
  const all = current === null || DURATIONS.includes(current) ? DURATIONS : [...DURATIONS, current].sort((one, other) => one - other);
  return all.map((ms) => ({ id: String(ms), label: durationInWords(ms) }));
}

/** `value less than 10 over 1 hour` */
export function conditionInWords({ alertType, condition, alertThreshold, windowMs }: Alert): string {
  const { subject, unit } = TYPES[alertType];
  return `${subject} ${CONDITIONS[condition]} ${formatNumber(alertThreshold, { maximumFractionDigits: 20 })}${unit} over ${durationInWords(windowMs)}`;
}

export const toOptions = <Id extends string>(words: Readonly<Record<Id, string | { label: string }>>) =>
  (Object.entries(words) as [Id, string | { label: string }][]).map(([id, word]) => ({
    id,
    label: typeof word === "string" ? word : word.label,
  }));

import type { Schema } from "@gatehouse/contract/console";

type Alert = Schema<"Alert">;
type Condition = Alert["condition"];

/** The finding of a check: a number, or the reason for a missing one. */
export type Finding = { value: number } | { value: null; reason: string; isIncomplete: boolean };

/** How far a value went. */
export type Level = "alert" | "warn" | "stable";

const COMPARE: Record<Condition, (value: number, threshold: number) => boolean> = {
  greater: (value, threshold) => value > threshold,
  greater_or_equal: (value, threshold) => value >= threshold,
  less: (value, threshold) => value < threshold,
  less_or_equal: (value, threshold) => value <= threshold,
  equal: (value, threshold) => value === threshold,
  not_equal: (value, threshold) => value !== threshold,
};

const WORDS: Record<Condition, string> = {
  greater: "greater than",
  greater_or_equal: "greater than or equal to",
  less: "less than",
  less_or_equal: "less than or equal to",
  equal: "equal to",
  not_equal: "different from",
};

const MINUTE_MS = 60_000;
const UNITS = [
  { name: "day", ms: 24 * 60 * MINUTE_MS },
  { name: "hour", ms: 60 * MINUTE_MS },
  { name: "minute", ms: MINUTE_MS },
  { name: "second", ms: 1_000 },
  { name: "millisecond", ms: 1 },
];

/** Digits that a sentence shows of a number. */
const DIGITS = 6;

export function isBeyond(value: number, condition: Condition, threshold: number): boolean {
  return COMPARE[condition](value, threshold);
}

type Thresholds = Pick<Alert, "condition" | "alertThreshold" | "warningThreshold">;

export function findLevel(value: number, { condition, alertThreshold, warningThreshold }: Thresholds): Level {
  if (isBeyond(value, condition, alertThreshold)) return "alert";
  return warningThreshold !== undefined && isBeyond(value, condition, warningThreshold) ? "warn" : "stable";
}

/**
 * The number that an alert compares.
 * @param values the metric over the window, and over the one before; undefined if it has no value
 */
export function computeFinding({ alertType }: Pick<Alert, "alertType">, [earlier, value]: readonly (number | undefined)[]): Finding {
  if (value === undefined) return noValue("The metric has no value over the window.");
  if (alertType === "threshold") return { value };
  if (earlier === undefined) return noValue("The metric has no value over the window before.");
  if (alertType === "change") return { value: value - earlier };
  if (earlier === 0) return noValue("The metric was 0 over the window before, so no change is relative to it.");
  return { value: (100 * (value - earlier)) / Math.abs(earlier) };
}

const noValue = (reason: string): Finding => ({ value: null, reason, isIncomplete: false });

/** How a value compares with the thresholds, as a sentence that calls the metric by a name. */
export function describeComparison(value: number, alert: Alert, metricName: string): string {
  const { condition, alertThreshold, warningThreshold, alertType, windowMs } = alert;
  const level = findLevel(value, alert);
  const threshold = level === "alert" || warningThreshold === undefined ? alertThreshold : warningThreshold;
  const called = threshold === alertThreshold ? "alert threshold" : "warning threshold";
  const subject = {
    threshold: `The value of ${metricName}`,
    change: `The change in ${metricName}`,
    pct_change: `The percent change in ${metricName}`,
  }[alertType];
  const compared = `${level === "stable" ? "not " : ""}${WORDS[condition]} the ${called} of ${shown(threshold)}`;
  return `${subject} over the last ${formatDuration(windowMs)} is ${shown(value)}, which is ${compared}.`;
}

const shown = (value: number) => String(Number(value.toPrecision(DIGITS)));

/** `hour`, `5 minutes`: a whole number of the largest possible unit. */
export function formatDuration(ms: number): string {
  const unit = UNITS.find((one) => ms % one.ms === 0) ?? { name: "millisecond", ms: 1 };
  const count = ms / unit.ms;
  return count === 1 ? unit.name : `${count} ${unit.name}s`;
}

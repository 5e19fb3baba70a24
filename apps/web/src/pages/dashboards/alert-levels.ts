// The thresholds of an alert beside the daily values of its metric. Pure.
import type { Schema } from "../../api.ts";
import type { Level } from "../../charts/day-line.tsx";
import type { Alert } from "../../results/alert-words.ts";

type Metric = Schema<"Metric">;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Metrics whose value is as high over an hour as over a day. */
const LEVELS: readonly Metric["type"][] = ["mean", "ratio"];

/** Whether the alert compares values of whole days. */
export const areDaysComparable = ({ alertType, windowMs }: Pick<Alert, "alertType" | "windowMs">): boolean =>
  alertType === "threshold" && windowMs === DAY_MS;

/** The thresholds, if daily values can be compared with them. */
export function thresholdLevels(alert: Alert, { type }: Pick<Metric, "type">): Level[] {
  const isComparable = areDaysComparable(alert) || (alert.alertType === "threshold" && LEVELS.includes(type));
  if (!isComparable) return [];
  const { alertThreshold, warningThreshold } = alert;
  return [
    { label: "Alert threshold", value: alertThreshold },
    ...(typeof warningThreshold === "number" ? [{ label: "Warning threshold", value: warningThreshold }] : []),
  ];
}

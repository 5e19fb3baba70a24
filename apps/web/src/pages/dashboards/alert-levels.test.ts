import { expect, test } from "vitest";
import type { Alert } from "../../results/alert-words.ts";
import { thresholdLevels } from "./alert-levels.ts";

const HOUR_MS = 3_600_000;
const alert = (changed: Partial<Alert>) =>
  ({ alertType: "threshold", windowMs: 24 * HOUR_MS, alertThreshold: 10, warningThreshold: 5, ...changed }) as Alert;

test("the thresholds of an alert on days are drawn", () => {
  expect(thresholdLevels(alert({}), { type: "sum" })).toEqual([
    { label: "Alert threshold", value: 10 },
    { label: "Warning threshold", value: 5 },
  ]);
  const { warningThreshold: _, ...withoutWarning } = alert({});
  expect(thresholdLevels(withoutWarning, { type: "sum" })).toEqual([{ label: "Alert threshold", value: 10 }]);
});

test("thresholds of sums over an hour, or of changes, are not drawn beside sums of days", () => {
  expect(thresholdLevels(alert({ windowMs: HOUR_MS }), { type: "sum" })).toEqual([]);
  expect(thresholdLevels(alert({ alertType: "pct_change" }), { type: "sum" })).toEqual([]);
});

test("a mean over an hour is comparable with the mean of a day", () => {
  expect(thresholdLevels(alert({ windowMs: HOUR_MS }), { type: "mean" })).toHaveLength(2);
});

import { describe, expect, test } from "vitest";
import { type CheckState, checked, NOT_CHECKED, resolved } from "./alert-check.ts";
import { computeFinding, describeComparison, type Finding, findLevel, formatDuration, isBeyond } from "./alert-thresholds.ts";

const MINUTE_MS = 60_000;

const alert = {
  ...{ id: "low", name: "Low", message: "Look.", metrics: { A: { id: "revenue::sum" } }, alertType: "threshold", windowMs: 5 * MINUTE_MS },
  ...{ condition: "less", alertThreshold: 10, warningThreshold: 20 },
} as Parameters<typeof checked>[2]["alert"];

const NO_DATA: Finding = { value: null, reason: "None.", isIncomplete: false };
const INCOMPLETE: Finding = { value: null, reason: "No metric.", isIncomplete: true };

/** The outcomes of checks with these findings, a minute apart: each status, and each event. */
function checks(findings: readonly (number | Finding)[], given: object = {}) {
  let state: CheckState = NOT_CHECKED;
  return findings.map((finding, index) => {
    const of = { alert: { ...alert, ...given }, metricName: "revenue" };
    const outcome = checked(state, typeof finding === "number" ? { value: finding } : finding, of, index * MINUTE_MS);
    state = outcome.state;
    return [state.status, outcome.event?.eventType];
  });
}

describe("a check", () => {
  test("makes one event of each change of what a value breaches", () => {
    expect(checks([30, 15, 14, 5, 4, 15, 30, 30])).toEqual([
      ["stable", undefined],
      ["warn", "warn"],
      ["warn", undefined],
      ["alert", "raise"],
      ["alert", undefined],
      ["warn", "warn"],
      ["stable", "resolve"],
      ["stable", undefined],
    ]);
  });

  test("leaves an open alert open without data, and tells its return only if it changes something", () => {
    expect(checks([5, NO_DATA, NO_DATA, 5, NO_DATA, 15, NO_DATA, 15, NO_DATA, 30])).toEqual([
      ["alert", "raise"],
      ["alert", "no-data"],
      ["alert", undefined],
      ["alert", undefined],
      ["alert", "no-data"],
      ["warn", "warn"],
      ["warn", "no-data"],
      ["warn", undefined],
      ["warn", "no-data"],
      ["stable", "resolve"],
    ]);
  });

  test("reports missing data for an alert that had complete data, and raises it again once its data is complete", () => {
    expect(checks([INCOMPLETE, 5, INCOMPLETE, INCOMPLETE, 5, INCOMPLETE, 30])).toEqual([
      ["setup_incomplete", undefined],
      ["alert", "raise"],
      ["setup_incomplete", "no-data"],
      ["setup_incomplete", undefined],
      ["alert", "raise"],
      ["setup_incomplete", "no-data"],
      ["stable", "resolve"],
    ]);
  });

  test("reports again what is asked for, and nothing else", () => {
    const reports = { renotificationConditions: ["warn", "no-data"], renotificationWindowMs: 2 * MINUTE_MS };
    expect(checks([5, 5, 5, 15, 15, 15, 15, 15], reports).map(([, event]) => event)).toEqual([
      ...["raise", undefined, undefined, "warn", undefined, "warn", undefined, "warn"],
    ]);
  });
});

test("only an open alert is resolved", () => {
  const by = { name: "Ada", now: 1, reasoning: null };
  const open = checked(NOT_CHECKED, { value: 5 }, { alert, metricName: "revenue" }, 0).state;
  const outcome = resolved(open, alert, by);
  expect(outcome).toMatchObject({
    state: { status: "stable", lasting: null, lastTriggeredTime: 0 },
    event: { eventType: "resolve", title: "Resolved: Low", reason: "Ada resolved the alert.", resolvedBy: "Ada", value: 5 },
  });
  expect(outcome && resolved(outcome.state, alert, by)).toBeUndefined();
  expect(resolved(NOT_CHECKED, alert, by)).toBeUndefined();
});

describe("a value", () => {
  test("is compared as the condition says", () => {
    const beyond = (condition: Parameters<typeof isBeyond>[1]) => [1, 2, 3].map((value) => isBeyond(value, condition, 2));
    expect(beyond("greater")).toEqual([false, false, true]);
    expect(beyond("greater_or_equal")).toEqual([false, true, true]);
    expect(beyond("less")).toEqual([true, false, false]);
    expect(beyond("less_or_equal")).toEqual([true, true, false]);
    expect(beyond("equal")).toEqual([false, true, false]);
    expect(beyond("not_equal")).toEqual([true, false, true]);
    expect(findLevel(15, { condition: "less", alertThreshold: 10 })).toBe("stable");
  });

  test("changes by a difference, or by percent of the earlier value's magnitude", () => {
    expect(computeFinding({ alertType: "change" }, [-4, -2])).toEqual({ value: 2 });
    expect(computeFinding({ alertType: "pct_change" }, [-4, -2])).toEqual({ value: 50 });
    expect(computeFinding({ alertType: "pct_change" }, [0, 1])).toMatchObject({ value: null, isIncomplete: false });
    expect(computeFinding({ alertType: "change" }, [undefined, 1])).toMatchObject({ value: null });
    expect(computeFinding({ alertType: "threshold" }, [1, undefined])).toMatchObject({ value: null });
  });

  test("names the threshold that it reached or would reach first", () => {
    const start = "The value of revenue over the last 5 minutes is";
    expect(describeComparison(30, alert, "revenue")).toBe(`${start} 30, which is not less than the warning threshold of 20.`);
    expect(describeComparison(1 / 3, alert, "revenue")).toBe(`${start} 0.333333, which is less than the alert threshold of 10.`);
    expect([3_600_000, 86_400_000 * 30, 90_000, 1_001].map(formatDuration)).toEqual(["hour", "30 days", "90 seconds", "1001 milliseconds"]);
  });
});

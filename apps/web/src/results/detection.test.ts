import { expect, test } from "vitest";
import { detectionText, plannedEndText, targetText, toDetectionPoints } from "./detection.ts";
import { conclusion, type PulseMetric, toVerdict, verdictText } from "./verdicts.ts";

const metric = (given: Partial<PulseMetric>): PulseMetric => ({
  ...{ metricID: "Revenue::sum", metricName: "Revenue", directionality: "increase", absoluteChange: 0.1, isSignificant: false },
  ...{ minimumDetectableEffect: 0.21, percentMinimumDetectableEffect: 2.1, detection: { power: 0.8 } },
  ...given,
});

test("a verdict without a difference says what would have been found, and others what can be", () => {
  expect(detectionText(metric({}))).toBe("This test could have found a change of 2.1% or more, with 80% power.");
  expect(detectionText(metric({ isSignificant: true }))).toBe("This test can find a change of 2.1% or more, with 80% power.");
  expect(detectionText(metric({ verdict: { test: "fixed", testType: "one_sided" } }))).toBe(
    "This test could have found an improvement of 2.1% or more, with 80% power.",
  );
  expect(detectionText(metric({ verdict: { test: "fixed", testType: "non_inferiority", margin: 1 } }))).toBe(
    "This test could have confirmed a margin of 2.1%, with 80% power.",
  );
  const { percentMinimumDetectableEffect: _, ...withoutPercent } = metric({});
  expect(detectionText(withoutPercent)).toBe("This test could have found a change of 0.21 or more, with 80% power.");
  const { minimumDetectableEffect: __, ...nothing } = withoutPercent;
  expect(detectionText(nothing)).toBe("Not enough data to detect any change.");
  const { isSignificant: ___, ...withheld } = metric({});
  expect(detectionText(withheld)).toBeUndefined();
});

test("the planned effect can be found now, on a day, or not at all", () => {
  const planned = (target: NonNullable<NonNullable<PulseMetric["detection"]>["target"]>) =>
    targetText(metric({ detection: { power: 0.8, target } }));
  expect(planned({ percent: 5, isReached: true })).toBe("The planned 5% can be found now.");
  expect(planned({ percent: 1, isReached: false, days: 8.56, date: "2026-01-16" })).toBe(
    "The planned 1% can be found in about 9 days, on Jan 16, 2026.",
  );
  expect(planned({ percent: 1, isReached: false, days: 0.2, date: "2026-01-16" })).toContain("about 1 day,");
  expect(planned({ percent: 1, isReached: false, reason: "Enrollment paused arrived lately." })).toBe(
    "The planned 1% can’t be found yet. Enrollment paused arrived lately.",
  );
  expect(targetText(metric({}))).toBeUndefined();
  expect([plannedEndText(metric({ detection: { power: 0.8, plannedEndPercent: 1.05 } })), plannedEndText(metric({}))]).toEqual([
    "1.05% at the planned end.",
    undefined,
  ]);
});

test("a test of non-inferiority keeps the margin, may miss it, or is beyond it", () => {
  const tested = (isSignificant: boolean, percentInterval: number[], given: Partial<PulseMetric> = {}) =>
    metric({ isSignificant, percentInterval, verdict: { test: "fixed", testType: "non_inferiority", margin: 2 }, ...given });
  const [kept, open, beyond] = [tested(true, [-1, 1]), tested(false, [-3, 1]), tested(false, [-5, -3])];
  expect([kept, open, beyond].map(toVerdict)).toEqual(["kept", "none", "worse"]);
  expect([kept, open, beyond].map(verdictText)).toEqual([
    "Not worse by more than 2%",
    "May be worse by more than 2%",
    "Worse by more than 2%",
  ]);
  expect(toVerdict(tested(false, [3, 5], { directionality: "decrease" }))).toBe("worse");
  expect(conclusion([kept], "Blue", "Green")).toBe("Green keeps the margin in Revenue.");
  expect(verdictText(metric({ verdict: { test: "fixed", testType: "one_sided" } }))).toBe("No improvement shown");
});

test("days without a verdict have no detectable effect", () => {
  expect(toDetectionPoints([{ date: "2026-01-01" }, { date: "2026-01-02", percentMinimumDetectableEffect: 3 }])).toEqual([
    { time: Date.parse("2026-01-02"), value: 3 },
  ]);
});

import { expect, test } from "vitest";
import {
  chanceText,
  conclusion,
  decidedText,
  type PulseMetric,
  percentileName,
  pText,
  sharedScale,
  toVerdict,
  verdictText,
} from "./verdicts.ts";

const metric = (name: string, given: Partial<PulseMetric> = {}): PulseMetric => ({
  metricID: `${name}::sum`,
  metricName: name,
  directionality: "increase",
  ...given,
});
const changed = (name: string, absoluteChange: number, isSignificant = true, given: Partial<PulseMetric> = {}) =>
  metric(name, { absoluteChange, isSignificant, confidenceIntervalDelta: 1, ...given });

test("a verdict counts the desired direction, and needs more than chance", () => {
  expect(toVerdict(changed("Revenue", 2))).toBe("better");
  expect(toVerdict(changed("Revenue", -2))).toBe("worse");
  expect(toVerdict(changed("Errors", -2, true, { directionality: "decrease" }))).toBe("better");
  expect(toVerdict(changed("Revenue", 2, false))).toBe("none");
  expect(toVerdict(metric("Revenue", { reason: "No results update has computed this metric yet." }))).toBe("unknown");
});

test("the conclusion names what is better first, then what is worse, unchanged and unknown", () => {
  const metrics = [
    changed("Errors", 1, true, { directionality: "decrease" }),
    changed("Revenue", 2),
    changed("Visits", 1, false),
    metric("Age"),
  ];
  expect(conclusion(metrics, "Blue", "Green")).toBe(
    "Green is better than Blue in Revenue. Green is worse than Blue in Errors. No difference shown in Visits. No verdict yet for Age.",
  );
  expect(conclusion([metric("Age")], "Blue", "Green")).toBe("No verdict yet.");
});

test("a sequential probability ratio test is significant, finds no such effect, or goes on", () => {
  const tested = (name: string, decision: "significant" | "futile" | "open") =>
    changed(name, 2, decision === "significant", { sprt: { decision, effect: 5 } });
  const metrics = [tested("Revenue", "significant"), tested("Visits", "futile"), tested("Orders", "open")];
  expect(metrics.map(verdictText)).toEqual(["Better", "No effect of 5%", "Undecided so far"]);
  expect(verdictText(changed("Age", -1, true, { sprt: { reason: "Nothing says how large an effect to look for." } }))).toBe("Worse");
  expect(conclusion(metrics, "Blue", "Green")).toBe(
    "Green is better than Blue in Revenue. No difference shown in Visits. Still testing Orders.",
  );
});

test("the page says how many metrics chance alone would call, if that is worth saying", () => {
  expect(chanceText({ comparisons: 10, expected: 0.5 })).toBe(
    "By chance alone, expect about 0.5 of these 10 metrics to look better or worse.",
  );
  expect([chanceText({ comparisons: 10, expected: 0.05 }), chanceText(undefined)]).toEqual([undefined, undefined]);
});

test("the verdict of the planned end has the direction of that day, and that of a Bayesian experiment the one of its belief", () => {
  const verdict = { test: "plannedEnd", date: "2026-03-14", pValue: 0.01, absoluteChange: 2, percentInterval: [1, 9] } as const;
  const ended = changed("Revenue", -1, true, { verdict: { ...verdict, percentInterval: [1, 9] } });
  expect(toVerdict(ended)).toBe("better");
  expect(decidedText(ended)).toBe("Decided at the planned end, Mar 14, 2026 (+1% to +9%). Later data doesn’t change it.");
  const numbers = {
    mean: 1,
    standardDeviation: 1,
    chanceToBeatThreshold: 0.95,
    lower: -1,
    upper: 3,
    expectedLoss: 0.1,
    expectedLossOfControl: 1,
  };
  const believed = (decision: "test" | "control" | "open") =>
    changed("Revenue", 2, decision !== "open", { verdict: { test: "bayesian" }, bayesian: { ...numbers, chanceToBeat: 0.9, decision } });
  expect((["test", "control", "open"] as const).map((decision) => toVerdict(believed(decision)))).toEqual(["better", "worse", "none"]);
});

test("no verdict is shown without enough data, and the conclusion says so", () => {
  const few = metric("Buys", {
    ...{ absoluteChange: 0.1, confidenceIntervalDelta: 0.2 },
    verdict: {
      test: "fixed",
      pValue: 0.01,
      withheld: "notEnoughSuccesses",
      missing: 41,
      reason: "The groups need about 41 more successes.",
    },
  });
  expect([toVerdict(few), verdictText(few)]).toEqual(["unknown", "Not enough data"]);
  expect(conclusion([few, changed("Revenue", 2)], "Blue", "Green")).toBe(
    "Green is better than Blue in Revenue. Not enough data yet for Buys.",
  );
});

test("all intervals share one scale, which one wide interval cannot take over", () => {
  const wide = changed("Wide", 1, false, { percentChange: 1, percentInterval: [-5_000, 9_000] });
  const narrow = changed("Narrow", 1, false, { percentChange: 1, percentInterval: [-10, 20] });
  expect(sharedScale([narrow])).toBeCloseTo(21, 10);
  expect(sharedScale([narrow, wide])).toBe(200);
  expect(sharedScale([])).toBeCloseTo(1.05, 10);
});

test("a p-value is never shown as 0", () => {
  expect([0.0203, 0.00001, 0].map(pText)).toEqual(["0.0203", "< 0.0001", "< 0.0001"]);
});

test("a percentile is called by its ordinal, and the one of a half a median", () => {
  expect([0.5, 0.9, 0.01, 0.22, 0.93, 0.111, 0.999].map(percentileName)).toEqual([
    ...["median", "90th percentile", "1st percentile", "22nd percentile", "93rd percentile", "11.1th percentile", "99.9th percentile"],
  ]);
});

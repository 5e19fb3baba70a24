import type { Schema } from "@gatehouse/contract/console";
import { expect, test } from "vitest";
import { computeScorecard, type Evidence, type ScoredMetric } from "./scorecard.ts";

type PulseMetric = Schema<"PulseMetric">;

const result = (metricName: string, given: Partial<PulseMetric> = {}): PulseMetric => ({
  ...{ metricID: `${metricName}::sum`, metricName, directionality: "increase", absoluteChange: 1, isSignificant: false },
  ...{ percentMinimumDetectableEffect: 2.134, verdict: { test: "fixed" }, ...given },
});
const primary = (name: string, given: Partial<PulseMetric> = {}): ScoredMetric => ({ role: "primary", result: result(name, given) });
const secondary = (name: string, given: Partial<PulseMetric> = {}): ScoredMetric => ({ role: "secondary", result: result(name, given) });
const better = primary("Revenue", { isSignificant: true });
const nonInferior = (given: Partial<PulseMetric>) =>
  secondary("Latency", { directionality: "decrease", verdict: { test: "fixed", testType: "non_inferiority", margin: 2 }, ...given });

const score = (metrics: ScoredMetric[], given: Partial<Evidence> = {}) => {
  const evidence = {
    metrics,
    healthChecks: [],
    alerted: [],
    isEndReached: true,
    isRunning: true,
    plannedEndDate: "Jan 15, 2026",
    ...given,
  };
  const { recommendation, reasons } = computeScorecard(evidence);
  return { recommendation, reasons: reasons.map(({ code, supports }) => (supports ? `${code}: ${supports}` : code)), messages: reasons };
};
const decided = (...given: Parameters<typeof score>) => {
  const { recommendation, reasons } = score(...given);
  return [recommendation, ...reasons];
};

test("a primary metric that is better at the planned end is shipped, even beside others that do not differ", () => {
  expect(decided([better])).toEqual(["ship", "metricBetter: ship", "plannedEndReached"]);
  expect(decided([better, primary("Visits"), secondary("Age")])).toEqual([
    ...["ship", "metricBetter: ship", "plannedEndReached", "noDifference"],
  ]);
});

test("tests planned for one look never count before the planned end", () => {
  const early = { isEndReached: false };
  const worse = primary("Revenue", { isSignificant: true, absoluteChange: -1 });
  for (const metric of [better, worse, primary("Revenue")])
    expect(decided([metric], early)).toEqual(["keepRunning", "plannedEndAhead: keepRunning"]);
  expect(decided([better], { isEndReached: false, isRunning: false })).toEqual([
    ...["dontShip", "endedEarly: dontShip", "metricBetter: ship"],
  ]);
});

test("tests that hold at every look decide before the planned end", () => {
  const early = { isEndReached: false };
  const sequential = { verdict: { test: "sequential" as const } };
  expect(decided([primary("Revenue", { isSignificant: true, ...sequential })], early)).toEqual([
    ...["ship", "metricBetter: ship", "plannedEndAhead"],
  ]);
  expect(decided([primary("Revenue", sequential)], early)).toEqual([...["keepRunning", "noDifference: keepRunning", "plannedEndAhead"]]);
  const futile = primary("Revenue", { verdict: { test: "sprt" }, sprt: { decision: "futile", effect: 5 } });
  expect(decided([futile], early)).toEqual(["dontShip", "effectRuledOut: dontShip", "plannedEndAhead"]);
  const numbers = { mean: 1, standardDeviation: 1, chanceToBeat: 0.01, chanceToBeatThreshold: 0.95, lower: -1, upper: 3 };
  const believed = { ...numbers, decision: "control" as const, expectedLoss: 1, expectedLossOfControl: 0 };
  expect(decided([primary("Revenue", { isSignificant: true, verdict: { test: "bayesian" }, bayesian: believed })], early)).toEqual([
    ...["dontShip", "metricWorse: dontShip", "plannedEndAhead"],
  ]);
});

test("a metric that is worse, a failed health check, or an open alert outweighs one that is better", () => {
  const worse = secondary("Errors", { directionality: "decrease", isSignificant: true });
  expect(decided([better, worse])).toEqual(["dontShip", "metricWorse: dontShip", "metricBetter: ship", "plannedEndReached"]);
  const healthChecks = [
    { name: "Sizes of the groups", status: "FAILED" as const },
    { name: "Exposures", status: "WARNING" as const },
  ];
  expect(decided([better], { healthChecks })[1]).toBe("healthCheckFailed: dontShip");
  const alerted = [{ metricID: "Errors::sum", metricName: "Errors" }];
  const { recommendation, messages } = score([better], { alerted, isEndReached: false });
  expect([recommendation, messages[0]]).toEqual([
    "dontShip",
    {
      ...{ code: "guardrailAlert", supports: "dontShip", metricID: "Errors::sum" },
      message: "The guardrail of Errors has an open alert.",
    },
  ]);
});

test("the verdict of the planned end counts, even if the change has another sign now", () => {
  const verdict = { test: "plannedEnd" as const, absoluteChange: 2, date: "2026-01-14" };
  expect(decided([primary("Revenue", { isSignificant: true, absoluteChange: -1, verdict })])[0]).toBe("ship");
});

test("without a difference at the planned end there is nothing to ship, and the reason says what could have been found", () => {
  const detection = { power: 0.8, target: { percent: 1, isReached: false } };
  const { recommendation, messages } = score([primary("Revenue", { detection })]);
  expect([recommendation, messages[0]?.message]).toEqual([
    "dontShip",
    "Revenue shows no difference. The test could have found a change of 2.13%, and 1% was planned.",
  ]);
});

test("a margin is kept, exceeded, or open", () => {
  expect(decided([better, nonInferior({ isSignificant: true })])).toEqual([
    ...["ship", "metricBetter: ship", "plannedEndReached", "marginKept"],
  ]);
  expect(decided([better, nonInferior({ percentInterval: [3, 5] })])[1]).toBe("marginExceeded: dontShip");
  expect(decided([better, nonInferior({ percentInterval: [-1, 5] })])[1]).toBe("marginNotShown: dontShip");
  const open = nonInferior({
    ...{ percentInterval: [-1, 1], sequentialPercentInterval: [-2, 3] },
    verdict: { test: "sequential", testType: "non_inferiority", margin: 2 },
  });
  expect(decided([open], { isEndReached: false }).slice(0, 3)).toEqual([
    ...["keepRunning", "noPrimaryMetric: keepRunning", "marginNotShown: keepRunning"],
  ]);
  const everywhere: ScoredMetric = { ...nonInferior({ isSignificant: true }), role: "primary" };
  expect(decided([everywhere])).toEqual(["ship", "marginKept: ship", "plannedEndReached"]);
});

test("missing verdicts and results ask for more data while more can come", () => {
  const { isSignificant: _, ...rest } = result("Revenue");
  const withheld: ScoredMetric = {
    role: "primary",
    result: {
      ...rest,
      verdict: { test: "sequential", withheld: "notEnoughUnits", missing: 6, reason: "The smaller group needs 6 more units." },
    },
  };
  const missing: ScoredMetric = {
    role: "primary",
    result: { ...rest, verdict: undefined, reason: "No results update has computed this metric yet." } as never,
  };
  expect(decided([withheld], { isEndReached: false })[1]).toBe("verdictWithheld: keepRunning");
  expect(decided([withheld])[1]).toBe("verdictWithheld: dontShip");
  expect(score([missing], { isEndReached: false }).messages[0]).toEqual({
    ...{ code: "noResult", supports: "keepRunning", metricID: "Revenue::sum" },
    message: "Revenue has no result. No results update has computed this metric yet.",
  });
  expect(decided([], { isEndReached: false })).toEqual(["keepRunning", "noPrimaryMetric: keepRunning", "plannedEndAhead"]);
});

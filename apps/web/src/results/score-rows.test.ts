import { expect, test } from "vitest";
import { headline } from "./headline.ts";
import { areUnseen, hasBeyond, labeledTicks, liftAxis, observedText, type ScoreRow, scoreRows } from "./score-rows.ts";
import type { PulseMetric } from "./verdicts.ts";

const [green, red] = [
  { id: "green", name: "Green" },
  { id: "red", name: "Red" },
];

const metric = (metricName: string, given: Partial<PulseMetric> = {}): PulseMetric => ({
  ...{ metricID: `${metricName}::sum`, metricName, directionality: "increase" },
  ...given,
});

const changed = (metricName: string, change: number, [lower, upper]: [number, number], given: Partial<PulseMetric> = {}): PulseMetric =>
  metric(metricName, {
    ...{ absoluteChange: change / 10, confidenceIntervalDelta: 1, percentChange: change, percentInterval: [lower, upper] },
    isSignificant: lower > 0 || upper < 0,
    ...given,
  });

const pulse = (primaryMetrics: PulseMetric[], secondaryMetrics: PulseMetric[] = [], otherMetrics: PulseMetric[] = []) => ({
  ...{ primaryMetrics, secondaryMetrics, otherMetrics },
});

const buyers = (change: number, interval: [number, number]) => changed("Buyers", change, interval);
const returns = (change: number, interval: [number, number]) => changed("Returns", change, interval, { directionality: "decrease" });

const rows = scoreRows(
  [
    { group: green, pulse: pulse([buyers(15.2, [8.1, 22.4])], [metric("Revenue")], [metric("Errors"), returns(-1, [-9, 7])]) },
    { group: red, pulse: pulse([buyers(1.2, [-5.2, 7.4])], [metric("Revenue")], [metric("Errors"), returns(21, [12, 31])]) },
  ],
  new Map([["Returns::sum", 10]]),
);

test("every metric is one row with all groups, by its role, and guarded metrics are guardrails", () => {
  expect(rows.map(({ role, metricName, maxHarmPercent }) => [role, metricName, maxHarmPercent])).toEqual([
    ["primary", "Buyers", undefined],
    ["secondary", "Revenue", undefined],
    ["guardrail", "Returns", 10],
    ["other", "Errors", undefined],
  ]);
  expect(rows[0]?.lines.map(({ group, metric: { percentChange } }) => [group.name, percentChange])).toEqual([
    ["Green", 15.2],
    ["Red", 1.2],
  ]);
});

test("the axis has 0 and every interval of the primary metrics, between round ends", () => {
  expect(liftAxis(rows)).toEqual({ low: -10, high: 40, ticks: [-10, 0, 10, 20, 30, 40] });
  const wide = scoreRows([{ group: green, pulse: pulse([buyers(900, [-180, 4000])]) }], new Map());
  expect(liftAxis(wide)).toMatchObject({ low: -100, high: 300 });
});

test("a guardrail with a huge change leaves the axis as wide as the primary metrics need it, and is beyond it", () => {
  const given = scoreRows(
    [{ group: green, pulse: pulse([buyers(24, [19, 29])], [returns(173, [126, 236])]) }],
    new Map([["Returns::sum", 20]]),
  );
  const axis = liftAxis(given);
  expect(axis).toEqual({ low: -5, high: 30, ticks: [-5, 0, 5, 10, 15, 20, 25, 30] });
  expect(hasBeyond(axis, given)).toBe(true);
  expect(hasBeyond(axis, given.slice(0, 1))).toBe(false);
  // Without primary metrics, those that are no guardrails set the range.
  expect(liftAxis(given.slice(1))).toMatchObject({ low: -50, high: 250 });
});

test("labels of the axis are regular and have 0, as many as have room", () => {
  const atMost = (count: number) => (ticks: readonly number[]) => ticks.length <= count;
  const ticks = [-100, -50, 0, 50, 100, 150, 200];
  expect(labeledTicks(ticks, atMost(7))).toEqual(ticks);
  expect(labeledTicks(ticks, atMost(5))).toEqual([-100, 0, 100, 200]);
  expect(labeledTicks(ticks, atMost(3))).toEqual([0, 150]);
  expect(labeledTicks(ticks, atMost(0))).toEqual([0]);
});

test("nobody was exposed if the results were computed and no group has a unit", () => {
  const unseen = (...given: object[]) =>
    areUnseen(
      given.map((fields, index) => ({ ...rows[0], lines: [{ group: green, metric: metric(`Metric ${index}`, fields) }] }) as ScoreRow),
    );
  expect(unseen({ loadedTime: 1 }, { loadedTime: 1, controlUnits: 0, testUnits: 0 })).toBe(true);
  expect([unseen(), unseen({}), unseen({ loadedTime: 1 }, { loadedTime: 1, testUnits: 1 })]).toEqual([false, false, false]);
});

test("an observed value is the sum per unit, before CUPED, and a percentile is itself", () => {
  const rate = { controlMean: 0.231, controlStd: 0.012, controlTotal: 222, controlUnits: 1_000, isProportion: true };
  expect(observedText("control", metric("Buyers", rate))).toBe("22.2%");
  expect(observedText("control", metric("Ratio", { ...rate, isProportion: false, controlDenominator: 444 }))).toBe("0.500");
  expect(observedText("control", metric("Median", { controlMean: 12, percentile: 0.5 }))).toBe("12");
  expect(observedText("control", metric("Nothing"))).toBeUndefined();
});

test("the headline has the effect of the best group, the verdicts of the others, and what got worse", () => {
  expect(headline(rows, "Blue")).toBe(
    "Green raised Buyers by 15.2% (8.1% to 22.4%), compared with Blue. No difference shown: Red. Other metrics that got worse: Returns (Red).",
  );
});

test("the headline names each failed guardrail with its limit, once", () => {
  const failed = headline(rows, "Blue", (metricID, groupID) => metricID === "Returns::sum" && groupID === "red");
  expect(failed).toBe(
    "Green raised Buyers by 15.2% (8.1% to 22.4%), compared with Blue. Guardrail failed: Red raised Returns by 21.0% (12.0% to 31.0%); the limit is 10%. No difference shown: Red.",
  );
});

const headlineOf = (one: PulseMetric) => headline(scoreRows([{ group: green, pulse: pulse([one]) }], new Map()), "Blue");

test("the headline gives the size of a fall without its sign, from the smaller bound to the larger one", () => {
  expect(headlineOf(returns(-5.2, [-8, -2.1]))).toBe("Green lowered Returns by 5.2% (2.1% to 8.0%), compared with Blue.");
});

test("the headline says when no verdict can be given, or none is shown", () => {
  expect(headlineOf(metric("Buyers"))).toBe("No verdict yet.");
  expect(headlineOf(buyers(1.2, [-5.2, 7.4]))).toBe("No difference shown in Buyers. Observed change with Green: +1.2% (−5.2% to +7.4%).");
  const withheld = metric("Buyers", { verdict: { test: "fixed", withheld: "notEnoughUnits" } });
  expect(headlineOf(withheld)).toBe("Not enough data yet for Buyers.");
  const kept = changed("Load time", 0.3, [-0.5, 1.1], {
    ...{ directionality: "decrease", isSignificant: true, verdict: { test: "fixed", testType: "non_inferiority", margin: 2 } },
  });
  expect(headlineOf(kept)).toBe("Green isn’t more than 2% worse than Blue in Load time. Change: +0.30% (−0.50% to +1.10%).");
  const fell = changed("Buyers", -3, [-9, 3], { isSignificant: true, verdict: { test: "plannedEnd", absoluteChange: 2 } });
  expect(headlineOf(fell)).toBe("Green is better than Blue in Buyers, as decided at the planned end.");
});

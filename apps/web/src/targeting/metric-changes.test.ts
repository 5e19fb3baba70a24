import { describe, expect, test } from "vitest";
import { type Flag, flagChanges } from "./entity-changes.ts";
import { type GuardedMetric, metricChanges, metricsText } from "./metric-changes.ts";
import { toText } from "./parts.ts";

const metric = (guardrail?: GuardedMetric["guardrail"], name = "Checkouts"): GuardedMetric => ({
  name,
  type: "event_user",
  ...(guardrail && { guardrail }),
});
const flag = (...monitoringMetrics: GuardedMetric[]): Flag => ({ rules: [], monitoringMetrics });
const changesInWords = (before: Flag, after: Flag) => flagChanges(before, after).map(({ field, parts }) => `${field}: ${toText(parts)}`);

const GUARDRAIL = "monitoringMetrics[0].guardrail: Checkouts (event user):";

describe("guardrails", () => {
  test.each<[string, GuardedMetric["guardrail"], GuardedMetric["guardrail"], string]>([
    ["set", undefined, { maxHarmPercent: 1, pausesRollouts: true }, "may get worse by 1% at most; an alert pauses rollouts"],
    ["set to no harm", undefined, { maxHarmPercent: 0 }, "may get worse by 0% at most; an alert does not pause rollouts"],
    ["changed", { maxHarmPercent: 1 }, { maxHarmPercent: 2.5 }, "may get worse by 1% → 2.5% at most; an alert does not pause rollouts"],
    [
      "no longer pausing",
      { maxHarmPercent: 1, pausesRollouts: true },
      { maxHarmPercent: 1 },
      "may get worse by 1% at most; an alert no longer pauses rollouts",
    ],
    ["removed", { maxHarmPercent: 1 }, undefined, "no guardrail any more"],
  ])("%s, in words", (_, before, after, words) => {
    expect(changesInWords(flag(metric(before)), flag(metric(after)))).toEqual([`${GUARDRAIL} ${words}`]);
  });

  test("of a metric that is added are described after it, and go with it", () => {
    const guarded = metric({ maxHarmPercent: 1 });
    expect(changesInWords(flag(), flag(guarded))).toEqual([
      "monitoringMetrics: Monitoring metrics: + Checkouts (event user)",
      `${GUARDRAIL} may get worse by 1% at most; an alert does not pause rollouts`,
    ]);
    expect(changesInWords(flag(guarded), flag())).toEqual(["monitoringMetrics: Monitoring metrics: − Checkouts (event user)"]);
  });

  test("are not another order, and an order is", () => {
    const [one, other] = [metric(), metric(undefined, "Refunds")];
    expect(changesInWords(flag(one, other), flag(other, one))).toEqual(["monitoringMetrics: Monitoring metrics in another order"]);
    expect(changesInWords(flag(one, other), flag(one, other))).toEqual([]);
  });

  test("of two versions are compared line by line", () => {
    expect(metricsText([metric({ maxHarmPercent: 1, pausesRollouts: true }), metric(undefined, "Refunds")], { hasRollouts: true })).toBe(
      "Checkouts (event user): may get worse by 1% at most; an alert pauses rollouts\nRefunds (event user)",
    );
    expect(metricsText([], { hasRollouts: true })).toBe("None");
  });
});

test("a guardrail without rollouts does not mention them", () => {
  const list = { field: "primaryMetrics", label: "Primary metrics", hasRollouts: false };
  expect(metricChanges(list, [metric()], [metric({ maxHarmPercent: 2 })]).map(({ field, parts }) => `${field}: ${toText(parts)}`)).toEqual([
    "primaryMetrics[0].guardrail: Checkouts (event user): may get worse by 2% at most",
  ]);
  expect(metricsText([metric({ maxHarmPercent: 2 })], list)).toBe("Checkouts (event user): may get worse by 2% at most");
});

test("metrics of one name are distinguished by their types", () => {
  expect(changesInWords(flag({ name: "A", type: "sum" }), flag({ name: "A", type: "mean" }))).toEqual([
    "monitoringMetrics: Monitoring metrics: + A (mean), − A (sum)",
  ]);
});

test("a pause of rollouts and its end", () => {
  const paused: Flag = { ...flag(), pausedBy: [{ ruleID: "half", metricID: "Checkouts::event_user", pausedTime: 1 }] };
  expect(changesInWords(flag(), paused)).toEqual(["pausedBy: Automated rollouts are paused by: + Checkouts::event_user of half"]);
  expect(changesInWords(paused, flag())).toEqual(["pausedBy: Automated rollouts resume"]);
});

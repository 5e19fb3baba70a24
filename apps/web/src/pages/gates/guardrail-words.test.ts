import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { afterResolving, type GuardrailLook, guardrailRows, metricNameIn, pauseOf, ruleNameIn } from "./guardrail-words.ts";

type Gate = Schema<"Gate">;

const [revenue, refunds] = ["Revenue", "Refunds"].map((name) => ({ name, type: "sum" })) as [{ name: string; type: "sum" }, object];
const guarded = (maxHarmPercent: number) => ({ ...revenue, guardrail: { maxHarmPercent } });
const gateOf = (given: Partial<Gate>) =>
  ({
    status: "In Progress",
    rules: [{ id: "half", baseID: "half", name: "Half", passPercentage: 50, conditions: [] }],
    monitoringMetrics: [guarded(10), refunds],
    ...given,
  }) as unknown as Gate;
const look = (given: Partial<GuardrailLook> = {}): GuardrailLook => ({
  ...{ ruleID: "half", metricID: "Revenue::sum", maxHarmPercent: 10, pausesRollouts: false, isBeyond: false },
  ...given,
});
const states = (gate: Gate, looks: GuardrailLook[]) =>
  guardrailRows(gate, looks).map(({ ruleID, state, reason }) => [ruleID, state, reason]);

test("a guardrail holds, is beyond, or is not known with the reason, for each rule that was compared", () => {
  const found = [look(), look({ ruleID: "other", isBeyond: true }), look({ ruleID: "new", reason: "Too few units." })];
  expect(states(gateOf({}), found)).toEqual([
    ["half", "holds", undefined],
    ["other", "beyond", undefined],
    ["new", "unknown", "Too few units."],
  ]);
});

test("a guardrail that was not looked at says why", () => {
  const all = [{ id: "all", name: "All", passPercentage: 100, conditions: [] }] as unknown as Gate["rules"];
  const why = (given: Partial<Gate>) => states(gateOf(given), [])[0];
  expect(why({})).toEqual([undefined, "unknown", "The server has not looked since it was set. It looks once an hour."]);
  expect(why({ rules: all })?.[2]).toBe("No rule passes some units and fails others, so there is nothing to compare.");
  expect(why({ status: "Launched" })?.[2]).toBe("The server looks only while the gate is in progress.");
});

test("what was found out about a guardrail that is gone is not shown, and a changed one is as it is now", () => {
  expect(guardrailRows(gateOf({ monitoringMetrics: [revenue] }), [look()])).toEqual([]);
  expect(guardrailRows(gateOf({ monitoringMetrics: [guarded(5)] }), [look()])).toMatchObject([
    { maxHarmPercent: 5, look: { maxHarmPercent: 10 } },
  ]);
});

test("what is gone is called by its id", () => {
  const gate = gateOf({});
  expect([metricNameIn(gate, "Revenue::sum"), metricNameIn(gate, "Gone::sum")]).toEqual(["Revenue", "Gone::sum"]);
  expect([ruleNameIn(gate, "half"), ruleNameIn(gate, "gone")]).toEqual(["Half", "gone"]);
});

test("a pause lasts since its first alert, and goes on until the last is resolved", () => {
  const pause = (metricID: string, pausedTime: number) => ({ ruleID: "half", metricID, pausedTime });
  const both = gateOf({ pausedBy: [pause("Revenue::sum", 2), pause("Refunds::sum", 1)] });
  expect(pauseOf(gateOf({}))).toBeUndefined();
  expect(pauseOf(both)).toEqual({
    since: 1,
    causes: [
      { metric: "Revenue", rule: "Half" },
      { metric: "Refunds", rule: "Half" },
    ],
  });
  expect(afterResolving(both, "Revenue::sum")).toBe("Automated rollouts stay paused by Refunds.");
  expect(afterResolving(gateOf({ pausedBy: [pause("Revenue::sum", 2)] }), "Revenue::sum")).toBe(
    "Automated rollouts go on, each later by as long as the pause took.",
  );
  expect(afterResolving(gateOf({}), "Revenue::sum")).toBe("It pauses no rollouts.");
});

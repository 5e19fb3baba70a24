import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { afterResolving, findPause, toGuarded, toShown } from "./guardrail-words.ts";

type Gate = Schema<"Gate">;

const [revenue, refunds] = ["Revenue", "Refunds"].map((name) => ({ name, type: "sum" })) as [{ name: string; type: "sum" }, object];
const guarded = (maxHarmPercent: number) => ({ ...revenue, guardrail: { maxHarmPercent } });
const buildGate = (given: Partial<Gate>) =>
  ({
    status: "In Progress",
    rules: [{ id: "half", baseID: "half", name: "Half", passPercentage: 50, conditions: [] }],
    monitoringMetrics: [guarded(10), refunds],
    ...given,
  }) as unknown as Gate;
test("a guardrail without a check says why", () => {
  const all = [{ id: "all", name: "All", passPercentage: 100, conditions: [] }] as unknown as Gate["rules"];
  const why = (given: Partial<Gate>) => toGuarded(buildGate(given)).whyUnseen;
  expect(why({})).toBe("Not checked since you set it. Checks run hourly.");
  expect(why({ rules: all })).toBe("Nothing to compare: each rule passes all users or none.");
  expect(why({ status: "Launched" })).toBe("Checked only while the gate is in progress.");
});

test("a rule that is gone is called by its id", () => {
  const { nameOfPart } = toGuarded(buildGate({}));
  expect([nameOfPart("half"), nameOfPart("gone")]).toEqual(["Half", "gone"]);
});

test("units that pass are the test, and units that fail the control", () => {
  const finding = { ruleID: "half", metricID: "Revenue::sum", maxHarmPercent: 1, pausesRollouts: true, passingUnits: 2, failingUnits: 3 };
  expect(toShown(finding)).toMatchObject({ partID: "half", testUnits: 2, controlUnits: 3, pausesRollouts: true });
});

test("a pause lasts since its first alert, and goes on until the last is resolved", () => {
  const pause = (metricID: string, pausedTime: number) => ({ ruleID: "half", metricID, pausedTime });
  const both = buildGate({ pausedBy: [pause("Revenue::sum", 2), pause("Refunds::sum", 1)] });
  expect(findPause(buildGate({}))).toBeUndefined();
  expect(findPause(both)).toEqual({
    since: 1,
    causes: [
      { metric: "Revenue", rule: "Half" },
      { metric: "Refunds", rule: "Half" },
    ],
  });
  expect(afterResolving(both, "Revenue::sum")).toBe("Automated rollouts stay paused by Refunds.");
  expect(afterResolving(buildGate({ pausedBy: [pause("Revenue::sum", 2)] }), "Revenue::sum")).toBe(
    "Automated rollouts resume, delayed by the length of the pause.",
  );
  expect(afterResolving(buildGate({}), "Revenue::sum")).toBe("Doesn’t pause rollouts.");
});

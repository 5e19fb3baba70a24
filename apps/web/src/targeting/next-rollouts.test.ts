import { expect, test } from "vitest";
import { nextRollouts } from "./next-rollouts.ts";

const rule = (name: string, steps: [time: number, passPercent: number][], given = {}) => ({
  ...{ id: name, baseID: name, name, passPercentage: 5, conditions: [], environments: null },
  ...{ pendingAutomatedRollouts: steps.map(([time, passPercent]) => ({ time, passPercent })) },
  ...given,
});

test("the next step of each rule is listed, the earliest first", () => {
  const gates = [
    {
      id: "a",
      name: "A",
      rules: [
        rule("late", [[90, 50]]),
        rule("soon", [
          [70, 100],
          [20, 50],
        ]),
      ],
    },
    { id: "b", name: "B", rules: [rule("none", []), rule("off", [[10, 50]], { isEnabled: false })] },
  ];
  expect(nextRollouts("gate", gates)).toEqual([
    {
      ...{ type: "gate", id: "a", name: "A", ruleID: "soon", rule: "soon", from: 5, to: 50, time: 20 },
      ...{ last: { to: 100, time: 70 }, pausedBy: [] },
    },
    {
      ...{ type: "gate", id: "a", name: "A", ruleID: "late", rule: "late", from: 5, to: 50, time: 90 },
      ...{ last: { to: 50, time: 90 }, pausedBy: [] },
    },
  ]);
});

test("paused rollouts of a gate list the metrics whose alerts paused them", () => {
  const pausedBy = ["revenue::sum", "checkouts::count", "revenue::sum"].map((metricID) => ({ ruleID: "half", metricID, pausedTime: 5 }));
  const gates = [{ id: "a", name: "A", rules: [rule("half", [[10, 50]])], pausedBy }];
  expect(nextRollouts("gate", gates).map((one) => one.pausedBy)).toEqual([["revenue", "checkouts"]]);
});

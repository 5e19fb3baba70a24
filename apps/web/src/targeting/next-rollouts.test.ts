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
    { id: "b", name: "B", rules: [rule("none", []), rule("off", [[10, 50]], { isEnabled: false }), rule("beyond", [[100, 50]])] },
  ];
  expect(nextRollouts("gate", gates, 100)).toEqual([
    {
      ...{ type: "gate", id: "a", name: "A", ruleID: "soon", rule: "soon", from: 5, to: 50, time: 20 },
      ...{ last: { to: 100, time: 70 }, isPaused: false },
    },
    {
      ...{ type: "gate", id: "a", name: "A", ruleID: "late", rule: "late", from: 5, to: 50, time: 90 },
      ...{ last: { to: 50, time: 90 }, isPaused: false },
    },
  ]);
});

test("rollouts of a gate that an alert has paused are marked", () => {
  const pausedBy = [{ ruleID: "half", metricID: "revenue::sum", pausedTime: 5 }];
  const gates = [{ id: "a", name: "A", rules: [rule("half", [[10, 50]])], pausedBy }];
  expect(nextRollouts("gate", gates, Number.POSITIVE_INFINITY).map(({ isPaused }) => isPaused)).toEqual([true]);
});

import { expect, test } from "vitest";
import { toGuarded } from "./guardrail-words.ts";
import type { Experiment } from "./states.ts";

const metric = (name: string) => ({ name, type: "sum" });
const guardedBy = (given: Partial<Experiment>) =>
  toGuarded({
    status: "active",
    controlGroupID: "control",
    groups: [
      { id: "control", name: "Control", size: 50, parameterValues: {} },
      { id: "test", name: "Test", size: 50, parameterValues: {} },
    ],
    ...{ primaryMetrics: [metric("a")], secondaryMetrics: [metric("b")], otherMetrics: [metric("c")] },
    ...given,
  });

test("the metrics of all lists are guarded, for groups that are called by their names", () => {
  const { metrics, part, nameOfPart } = guardedBy({});
  expect([metrics.map(({ name }) => name), part, nameOfPart("test"), nameOfPart("gone")]).toEqual([
    ["a", "b", "c"],
    "group",
    "Test",
    "gone",
  ]);
});

test("a guardrail without a check says why", () => {
  const groups = [
    { id: "control", name: "Control", size: 50, parameterValues: {} },
    { id: "test", name: "Test", size: 50, parameterValues: {}, disabled: true },
  ];
  expect(guardedBy({}).whyUnseen).toBe("Not checked since you set it. Checks run hourly.");
  expect(guardedBy({ status: "setup" }).whyUnseen).toBe("Checked only while the experiment is running.");
  expect(guardedBy({ groups }).whyUnseen).toBe("Nothing to compare: only the control group is enabled.");
});

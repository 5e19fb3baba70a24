import { describe, expect, test } from "vitest";
import { addStep, listSteps, removeStep, rolloutFaults, rolloutTemplate, updateStep, withSteps } from "./rollouts.ts";
import type { Rule } from "./types.ts";

const HOUR_MS = 3_600_000;
const rule: Rule = { name: "Ramp", passPercentage: 5, conditions: [] };
const scheduled = (...steps: [number, number][]): Rule => ({
  ...rule,
  pendingAutomatedRollouts: steps.map(([time, passPercent]) => ({ time, passPercent })),
});

test("a step is added at its time, changed, and removed by its index", () => {
  const added = addStep(addStep(rule, { time: 20, passPercent: 50 }), { time: 10, passPercent: 10 });
  expect(added).toEqual(scheduled([10, 10], [20, 50]));
  expect(updateStep(added, 0, { time: 30, passPercent: 100 })).toEqual(scheduled([20, 50], [30, 100]));
  expect(removeStep(added, 0)).toEqual(scheduled([20, 50]));
});

test("percentages of steps keep to 0–100 in steps of 0.01", () => {
  expect(
    listSteps(
      withSteps(rule, [
        { time: 1, passPercent: 33.333 },
        { time: 2, passPercent: 120 },
      ]),
    ),
  ).toEqual([
    { time: 1, passPercent: 33.33 },
    { time: 2, passPercent: 100 },
  ]);
});

test("rolloutTemplate begins above the rule's percentage, and again at the first step for a rule that passes everyone", () => {
  const percents = (passPercentage: number) =>
    rolloutTemplate({ passPercentage }, 0, [1, 5, 20, 100], 24).map(({ passPercent }) => passPercent);
  expect([0, 1, 10, 100].map(percents)).toEqual([
    [1, 5, 20, 100],
    [5, 20, 100],
    [20, 100],
    [1, 5, 20, 100],
  ]);
});

test("rolloutTemplate makes a step for each percentage, at equal distances, the first after an hour", () => {
  expect(rolloutTemplate({ passPercentage: 5 }, 1_000, [10, 50, 100], 24)).toEqual([
    { time: 1_000 + HOUR_MS, passPercent: 10 },
    { time: 1_000 + 25 * HOUR_MS, passPercent: 50 },
    { time: 1_000 + 49 * HOUR_MS, passPercent: 100 },
  ]);
});

test("rolloutTemplate raises a rule that has reached one of its percentages after a full interval", () => {
  expect(rolloutTemplate({ passPercentage: 10 }, 1_000, [10, 25, 100], 48)).toEqual([
    { time: 1_000 + 48 * HOUR_MS, passPercent: 25 },
    { time: 1_000 + 96 * HOUR_MS, passPercent: 100 },
  ]);
});

describe("rolloutFaults", () => {
  const words = (given: Rule) => rolloutFaults(given, 100).map(({ property, level, message }) => `${level} at ${property}: ${message}`);

  test("finds nothing in a schedule that rises in the future", () => {
    expect(words(scheduled([101, 5], [102, 50], [103, 50]))).toEqual([]);
  });

  test("rejects times that have passed, coincide or are missing", () => {
    expect(words(scheduled([100, 10], [200, 20], [200, 30], [Number.NaN, 40]))).toEqual([
      "error at pendingAutomatedRollouts[0].time: This time has passed. Choose a later one.",
      "error at pendingAutomatedRollouts[2].time: Each step must be later than the one before it.",
      "error at pendingAutomatedRollouts[3].time: Enter a date and time.",
    ]);
  });

  test("warns of percentages that fall, at first below the rule's own", () => {
    expect(words(scheduled([200, 4], [300, 50], [400, 20]))).toEqual([
      "warning at passPercentage: The next scheduled step lowers this to 4% on Jan 1, 1970, 00:00 UTC.",
      "warning at pendingAutomatedRollouts[2].passPercent: Step 3 lowers the percentage from 50% to 20%.",
    ]);
  });

  test("warns of a percentage below the next step of a schedule that lowers it", () => {
    const raised = { ...scheduled([200, 20]), passPercentage: 10 };
    expect(rolloutFaults(raised, 100, { ...raised, passPercentage: 60 })).toEqual([
      {
        property: "passPercentage",
        level: "warning",
        message: "The next scheduled step raises this to 20% on Jan 1, 1970, 00:00 UTC.",
      },
    ]);
    expect(rolloutFaults(raised, 100, { ...raised, passPercentage: 5 })).toEqual([]);
  });
});

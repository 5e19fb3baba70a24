import { describe, expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import { newExperiment } from "./experiment.ts";
import { advance, decide, schedule, toggle } from "./experiment-steps.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "startExperiment", now: 1000 };
const later = { ...context, now: 2000 };
const groups = [
  { id: "a", name: "A", size: 50 },
  { id: "b", name: "B", size: 50 },
];
const rules = [{ name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] }];
const created = newExperiment(
  { name: "color", groups, allocation: 1, targetingGateID: "gate", inlineTargetingRules: rules },
  undefined,
  context,
);
const active = advance(created, "start", undefined, context);

describe("advance", () => {
  test("a start takes buckets, and an end frees them", () => {
    expect(created.userBuckets).toEqual([]);
    expect(active.userBuckets).toHaveLength(10);
    const stopped = advance(active, "stop_assignment", undefined, later);
    expect(stopped.userBuckets).toEqual(active.userBuckets);
    expect(advance(stopped, "archive", undefined, later)).toMatchObject({ status: "archived", userBuckets: [] });
    expect(advance(active, "abandon", undefined, later)).toMatchObject({ status: "abandoned", userBuckets: [], version: 3 });
  });

  test("after a reset the same start takes other buckets", () => {
    const again = advance(advance(active, "reset", undefined, later), "start", undefined, later);
    expect(again.userBuckets).toHaveLength(10);
    expect(again.userBuckets).not.toEqual(active.userBuckets);
  });
});

describe("decide", () => {
  test("ships the group, and removes the targeting only on request", () => {
    const decision = { id: "b", decisionReason: "Better." };
    expect(decide(active, decision, later)).toMatchObject({
      status: "decision_made",
      launchedGroupID: "b",
      decisionReason: "Better.",
      targetingGateID: "gate",
      userBuckets: [],
    });
    expect(decide(active, { ...decision, removeTargeting: true }, later)).toMatchObject({
      targetingGateID: null,
      inlineTargetingRules: [],
      inlineTargetingRulesJSON: "{}",
    });
  });

  test("reports an unknown group together with an impossible step", () => {
    expect(catchViolations(() => decide(created, { id: "c", decisionReason: "" }, later))).toEqual([
      { property: "id", errorMessage: "must be the id of a group" },
      {
        property: "status",
        errorMessage: "make_decision is not possible in status setup, only in active, assignment_stopped, or experiment_stopped",
      },
    ]);
  });
});

test("toggling groups while the experiment runs keeps the buckets", () => {
  const disabled = toggle(active, "disable_groups", ["B"], later);
  expect(disabled.groups).toMatchObject([{ name: "A" }, { name: "B", disabled: true, size: 50 }]);
  expect(disabled.userBuckets).toEqual(active.userBuckets);
});

describe("schedule", () => {
  test("sets, replaces and removes the time", () => {
    const scheduled = schedule(created, 1001, context);
    expect(scheduled).toMatchObject({ status: "setup", scheduledStartTime: 1001 });
    expect(schedule(scheduled, 3000, later).scheduledStartTime).toBe(3000);
    expect(schedule(scheduled, null, later).scheduledStartTime).toBeNull();
  });

  test("rejects a time that is not in the future, and a state other than setup", () => {
    expect(catchViolations(() => schedule(active, 2000, later))).toEqual([
      { property: "scheduledTime", errorMessage: "must be in the future" },
      { property: "status", errorMessage: "schedule_start is not possible in status active, only in setup" },
    ]);
  });
});

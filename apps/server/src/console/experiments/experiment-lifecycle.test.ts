import { describe, expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { newExperiment } from "./experiment.ts";
import { isRunning, STEPS, type Status, type Step, stepTo, takeStep } from "./experiment-lifecycle.ts";

const NOW = 1_763_700_000_000;
const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "patchExperiment", now: NOW };
const STATES: Status[] = ["setup", "active", "assignment_stopped", "experiment_stopped", "decision_made", "abandoned", "archived"];
const experiment = (status: Status, given: object = {}) => ({
  ...newExperiment({ name: "Button color" }, undefined, context),
  status,
  launchedGroupID: "g",
  ...(status === "archived" && { statusBeforeArchive: "abandoned" as const }),
  ...given,
});

/** The resulting status, or the violations. */
function outcome(work: (violations: Violation[]) => { status: Status }): Status | Violation[] {
  const violations: Violation[] = [];
  const { status } = work(violations);
  return violations.length > 0 ? violations : status;
}

describe("takeStep", () => {
  test("exactly these steps exist", () => {
    const steps = (Object.keys(STEPS) as Step[]).map((step) => {
      const taken = STATES.map((from) => [from, outcome((violations) => takeStep(experiment(from), step, NOW, violations))] as const);
      return `${step}: ${taken.flatMap(([from, to]) => (typeof to === "string" ? [`${from} → ${to}`] : [])).join(", ")}`;
    });
    expect(steps).toEqual([
      "start: setup → active",
      "schedule_start: setup → setup",
      "enable_groups: setup → setup, active → active, assignment_stopped → assignment_stopped",
      "disable_groups: setup → setup, active → active, assignment_stopped → assignment_stopped",
      "stop_assignment: active → assignment_stopped",
      "stop_experiment: active → experiment_stopped, assignment_stopped → experiment_stopped",
      "make_decision: active → decision_made, assignment_stopped → decision_made, experiment_stopped → decision_made",
      "abandon: active → abandoned, assignment_stopped → abandoned, experiment_stopped → abandoned",
      "reset: active → setup, assignment_stopped → setup, experiment_stopped → setup, decision_made → setup, abandoned → setup",
      "archive: setup → archived, assignment_stopped → archived, experiment_stopped → archived, decision_made → archived, abandoned → archived",
      "unarchive: archived → abandoned",
    ]);
  });

  test("the violation of an impossible step names the step, the state and the states that have it", () => {
    expect(outcome((violations) => takeStep(experiment("archived"), "reset", NOW, violations))).toEqual([
      {
        property: "status",
        errorMessage:
          "reset is not possible in status archived, only in active, assignment_stopped, experiment_stopped, decision_made, or abandoned",
      },
    ]);
  });

  const ended = { endTime: NOW };
  test.each<[Step, Status, object]>([
    ["start", "setup", { startTime: NOW, scheduledStartTime: null }],
    ["stop_assignment", "active", { assignmentStopTime: NOW }],
    ["stop_experiment", "active", ended],
    ["make_decision", "active", { ...ended, decisionTime: NOW }],
    ["abandon", "active", ended],
    ["archive", "setup", { statusBeforeArchive: "setup", scheduledStartTime: null }],
    ["archive", "decision_made", { statusBeforeArchive: "decision_made", scheduledStartTime: null }],
    ["archive", "assignment_stopped", { statusBeforeArchive: "experiment_stopped", scheduledStartTime: null }],
    ["stop_experiment", "assignment_stopped", ended],
    ["unarchive", "archived", { statusBeforeArchive: null }],
  ])("%s in state %s stamps %o", (step, from, stamped) => {
    const before = experiment(from, { scheduledStartTime: NOW });
    const { status: _, ...after } = takeStep(before, step, NOW, []);
    expect(after).toEqual({ ...before, status: undefined, ...stamped });
  });

  test("an archive ends a run that goes on", () => {
    const archived = takeStep(experiment("assignment_stopped", { startTime: 1, endTime: null }), "archive", NOW, []);
    expect(archived).toMatchObject({ status: "archived", startTime: 1, endTime: NOW });
  });

  test("a later decision or abandonment keeps the end time", () => {
    const stopped = experiment("experiment_stopped", { endTime: 1 });
    expect(takeStep(stopped, "make_decision", NOW, [])).toMatchObject({ endTime: 1, decisionTime: NOW });
    expect(takeStep(stopped, "abandon", NOW, [])).toMatchObject({ endTime: 1 });
  });

  test("a reset clears the times and the decision, and makes another salt", () => {
    const before = experiment("decision_made", { startTime: 1, endTime: 2, decisionTime: 2, decisionReason: "r" });
    const { salt, ...after } = takeStep(before, "reset", NOW, []);
    const times = { startTime: null, assignmentStopTime: null, endTime: null, decisionTime: null, resetTime: NOW };
    const cleared = { ...times, decisionReason: null, launchedGroupID: null };
    expect({ ...after, salt: before.salt }).toEqual({ ...before, ...cleared, status: "setup" });
    expect(salt).not.toBe(before.salt);
  });

  test("a decision needs a launched group", () => {
    expect(outcome((violations) => takeStep(experiment("active", { launchedGroupID: null }), "make_decision", NOW, violations))).toEqual([
      { property: "launchedGroupID", errorMessage: "is required with status decision_made" },
    ]);
  });
});

describe("stepTo", () => {
  test.each(STATES)("%s again is not a valid step", (status) => {
    const before = experiment(status);
    expect(stepTo(before, status, NOW, [])).toBe(before);
  });

  test("a change can give every state but setup, and takes its step", () => {
    const reached = STATES.flatMap((from) =>
      STATES.filter((to) => to !== from && outcome((violations) => stepTo(experiment(from), to, NOW, violations)) === to).map(
        (to) => `${from} → ${to}`,
      ),
    );
    const ends = ["experiment_stopped", "decision_made", "abandoned"];
    expect(reached).toEqual([
      "setup → active",
      "setup → archived",
      "active → assignment_stopped",
      ...ends.map((end) => `active → ${end}`),
      ...ends.map((end) => `assignment_stopped → ${end}`),
      "assignment_stopped → archived",
      "experiment_stopped → decision_made",
      "experiment_stopped → abandoned",
      "experiment_stopped → archived",
      "decision_made → archived",
      "abandoned → archived",
    ]);
  });

  test.each<[Status, Status, string]>([
    ["active", "setup", "reset"],
    ["archived", "setup", "unarchive"],
  ])("the step from %s to %s requires its dedicated call", (from, to, step) => {
    expect(outcome((violations) => stepTo(experiment(from), to, NOW, violations))).toEqual([
      { property: "status", errorMessage: `cannot change from ${from} to setup. Use ${step}Experiment instead` },
    ]);
  });
});

test("an experiment holds buckets only while units are assigned to groups", () => {
  expect(STATES.filter(isRunning)).toEqual(["active", "assignment_stopped"]);
});

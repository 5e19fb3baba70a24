import { describe, expect, test } from "vitest";
import type { Violation } from "../../errors.ts";
import { newExperiment } from "./experiment.ts";
import { type Status, step } from "./experiment-lifecycle.ts";

const NOW = 1_763_700_000_000;
const context = { actor: { id: "key_1", name: "CONSOLE API" }, projectID: "p", operationID: "patchExperiment", now: NOW };
const experiment = (status: Status, launchedGroupID: string | null = null) => ({
  ...newExperiment({ name: "Button color" }, context),
  status,
  launchedGroupID,
});
const STATES: Status[] = ["setup", "active", "decision_made", "abandoned", "experiment_stopped", "assignment_stopped", "archived"];
const ENDS: Status[] = ["decision_made", "abandoned", "experiment_stopped", "assignment_stopped"];

function violationsOf(from: Status, to: Status): Violation[] {
  const violations: Violation[] = [];
  step(experiment(from, "g"), to, NOW, violations);
  return violations;
}

describe("step", () => {
  test("these steps are allowed, and no other", () => {
    const allowed = STATES.flatMap((from) =>
      STATES.filter((to) => to !== from && violationsOf(from, to).length === 0).map((to) => `${from} → ${to}`),
    );
    expect(allowed).toEqual([
      "setup → active",
      "setup → archived",
      ...ENDS.map((end) => `active → ${end}`),
      ...ENDS.map((end) => `${end} → archived`),
    ]);
  });

  test.each(STATES)("%s again is no step", (status) => {
    const before = experiment(status, "g");
    const violations: Violation[] = [];
    expect(step(before, status, NOW, violations)).toBe(before);
    expect(violations).toEqual([]);
  });

  test("a refusal names the state, the step and what is allowed instead", () => {
    expect(violationsOf("setup", "abandoned")).toEqual([
      { property: "status", errorMessage: "cannot go from setup to abandoned, only to active or archived" },
    ]);
    expect(violationsOf("archived", "setup")).toEqual([
      { property: "status", errorMessage: "cannot go from archived to setup, nor to any other state" },
    ]);
  });

  test.each([
    ["setup", "active", { startTime: NOW }],
    ["active", "decision_made", { decisionTime: NOW, endTime: NOW }],
    ["active", "abandoned", { endTime: NOW }],
    ["active", "experiment_stopped", { endTime: NOW }],
    ["active", "assignment_stopped", { endTime: NOW }],
    ["setup", "archived", {}],
  ] as const)("from %s to %s stamps %o", (from, to, times) => {
    const before = experiment(from, "g");
    expect(step(before, to, NOW, [])).toEqual({ ...before, status: to, ...times });
  });

  test("a decision needs a launched group", () => {
    const violations: Violation[] = [];
    step(experiment("active"), "decision_made", NOW, violations);
    expect(violations).toEqual([{ property: "launchedGroupID", errorMessage: "is required with status decision_made" }]);
  });
});

import { describe, expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import { changeExperiment, newExperiment } from "./experiment.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "createExperiment", now: 1 };
const later = { ...context, now: 2 };
const rule = { name: "Europe", passPercentage: 100, conditions: [{ type: "country", operator: "any", targetValue: ["DE"] }] } as const;
const rules = [{ ...rule, conditions: [{ ...rule.conditions[0], targetValue: ["DE"] }] }];

describe("newExperiment", () => {
  test("the first group is the control, unless one is named", () => {
    const groups = [
      { id: "x", name: "X", size: 50 },
      { id: "y", name: "Y", size: 50 },
    ];
    expect(newExperiment({ name: "color", groups }, undefined, context).controlGroupID).toBe("x");
    expect(newExperiment({ name: "color", groups, controlGroupID: "y" }, undefined, context).controlGroupID).toBe("y");
  });

  test("a new experiment can start at once", () => {
    const { status, startTime, version } = newExperiment({ name: "color", status: "active" }, undefined, context);
    expect({ status, startTime, version }).toEqual({ status: "active", startTime: 1, version: 1 });
  });

  test("all violations are reported together", () => {
    const make = () =>
      newExperiment(
        {
          name: "color",
          layerID: "nowhere",
          status: "abandoned",
          launchedGroupID: "z",
          groups: [{ name: "X", size: 90 }],
          inlineTargetingRules: [{ ...rule, conditions: [{ type: "country" }] }],
        },
        undefined,
        context,
      );
    expect(catchViolations(make)).toEqual([
      { property: "layerID", errorMessage: "must be the id of a layer that exists" },
      { property: "groups", errorMessage: "must have sizes that sum to 100, not 90" },
      { property: "inlineTargetingRules[0].conditions[0].operator", errorMessage: "is required with type country" },
      { property: "launchedGroupID", errorMessage: "must be the id of a group" },
      {
        property: "status",
        errorMessage: "abandon is not possible in status setup, only in active, assignment_stopped, or experiment_stopped",
      },
    ]);
  });
});

describe("changeExperiment", () => {
  test("the text of inline targeting rules follows the rules", () => {
    const created = newExperiment({ name: "color", inlineTargetingRules: rules }, undefined, context);
    expect(JSON.parse(created.inlineTargetingRulesJSON ?? "")).toEqual({ rules: created.inlineTargetingRules });
    const renamed = changeExperiment(created, { description: "x" }, undefined, later);
    expect(renamed.inlineTargetingRulesJSON).toBe(created.inlineTargetingRulesJSON);
    const emptied = changeExperiment(created, { inlineTargetingRules: [] }, undefined, later);
    expect(emptied).toMatchObject({ inlineTargetingRules: [], inlineTargetingRulesJSON: "{}" });
  });

  test("the control group cannot be removed without giving another", () => {
    const created = newExperiment({ name: "color" }, undefined, context);
    const groups = [{ id: "all", name: "All", size: 100 }];
    expect(catchViolations(() => changeExperiment(created, { groups }, undefined, later))).toEqual([
      { property: "controlGroupID", errorMessage: "must be the id of a group" },
    ]);
    expect(changeExperiment(created, { groups, controlGroupID: "all" }, undefined, later).groups).toMatchObject(groups);
  });

  test("a decision cannot lose its launched group", () => {
    const created = newExperiment({ name: "color", status: "active" }, undefined, context);
    const decided = changeExperiment(created, { status: "decision_made", launchedGroupID: created.controlGroupID }, undefined, later);
    expect(catchViolations(() => changeExperiment(decided, { launchedGroupID: null }, undefined, later))).toEqual([
      { property: "launchedGroupID", errorMessage: "cannot change once the decision is made; reset the experiment first" },
    ]);
  });

  test("an empty targeting gate means no gate", () => {
    const created = newExperiment({ name: "color", targetingGateID: "gate" }, undefined, context);
    expect(changeExperiment(created, { targetingGateID: "" }, undefined, later).targetingGateID).toBeNull();
    expect(changeExperiment(created, {}, undefined, later).targetingGateID).toBe("gate");
  });

  test("an allocation is in steps of 0.1", () => {
    const created = newExperiment({ name: "color", allocation: 57.9 }, undefined, context);
    expect(catchViolations(() => changeExperiment(created, { allocation: 57.95 }, undefined, later))).toEqual([
      { property: "allocation", errorMessage: "must be in steps of 0.1" },
    ]);
  });

  test("fields that do not determine a unit's group can change while the experiment runs", () => {
    const running = newExperiment({ name: "color", status: "active", allocation: 1 }, undefined, context);
    const groups = running.groups.map(({ id, name, size }) => ({ id, size, name: `${name} 2`, parameterValues: { a: 1 }, disabled: true }));
    const changed = changeExperiment(running, { groups, allocation: 2, targetingGateID: "gate" }, undefined, later);
    expect(changed).toMatchObject({ groups, allocation: 2 });
    expect(changed.userBuckets.slice(0, 10)).toEqual(running.userBuckets);
    expect(changed.userBuckets).toHaveLength(20);
  });
});

import { describe, expect, test } from "vitest";
import { AppError } from "../../errors.ts";
import { changeExperiment, newExperiment } from "./experiment.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API" }, projectID: "p", operationID: "createExperiment", now: 1 };
const later = { ...context, now: 2 };
const rule = { name: "Europe", passPercentage: 100, conditions: [{ type: "country", operator: "any", targetValue: ["DE"] }] } as const;
const rules = [{ ...rule, conditions: [{ ...rule.conditions[0], targetValue: ["DE"] }] }];

describe("newExperiment", () => {
  test("the first group is the control, unless one is named", () => {
    const groups = [
      { id: "x", name: "X", size: 50 },
      { id: "y", name: "Y", size: 50 },
    ];
    expect(newExperiment({ name: "color", groups }, context).controlGroupID).toBe("x");
    expect(newExperiment({ name: "color", groups, controlGroupID: "y" }, context).controlGroupID).toBe("y");
  });

  test("it can be started as it is made", () => {
    const { status, startTime, version } = newExperiment({ name: "color", status: "active" }, context);
    expect({ status, startTime, version }).toEqual({ status: "active", startTime: 1, version: 1 });
  });

  test("every violation is named, whatever part it is in", () => {
    const make = () =>
      newExperiment(
        {
          name: "color",
          status: "abandoned",
          launchedGroupID: "z",
          groups: [{ name: "X", size: 90 }],
          inlineTargetingRules: [{ ...rule, conditions: [{ type: "country" }] }],
        },
        context,
      );
    expect(make).toThrow(AppError);
    expect(violationsOf(make)).toEqual([
      { property: "groups", errorMessage: "must have sizes that sum to 100, not 90" },
      { property: "inlineTargetingRules[0].conditions[0].operator", errorMessage: "is required with type country" },
      { property: "launchedGroupID", errorMessage: "must be the id of a group" },
      { property: "status", errorMessage: "cannot go from setup to abandoned, only to active or archived" },
    ]);
  });
});

describe("changeExperiment", () => {
  test("the inline targeting rules and their text stay in step", () => {
    const created = newExperiment({ name: "color", inlineTargetingRules: rules }, context);
    expect(JSON.parse(created.inlineTargetingRulesJSON ?? "")).toEqual({ rules: created.inlineTargetingRules });
    const renamed = changeExperiment(created, { description: "x" }, later);
    expect(renamed.inlineTargetingRulesJSON).toBe(created.inlineTargetingRulesJSON);
    const emptied = changeExperiment(created, { inlineTargetingRules: [] }, later);
    expect(emptied).toMatchObject({ inlineTargetingRules: [], inlineTargetingRulesJSON: "{}" });
  });

  test("the control group cannot be removed without naming another", () => {
    const created = newExperiment({ name: "color" }, context);
    const groups = [{ id: "all", name: "All", size: 100 }];
    expect(violationsOf(() => changeExperiment(created, { groups }, later))).toEqual([
      { property: "controlGroupID", errorMessage: "must be the id of a group" },
    ]);
    expect(changeExperiment(created, { groups, controlGroupID: "all" }, later).groups).toMatchObject(groups);
  });

  test("a decision cannot lose its launched group", () => {
    const created = newExperiment({ name: "color", status: "active" }, context);
    const decided = changeExperiment(created, { status: "decision_made", launchedGroupID: created.controlGroupID }, later);
    expect(violationsOf(() => changeExperiment(decided, { launchedGroupID: null }, later))).toEqual([
      { property: "launchedGroupID", errorMessage: "is required with status decision_made" },
    ]);
  });
});

function violationsOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}

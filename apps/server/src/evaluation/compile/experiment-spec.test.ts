import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import {
  buckets,
  buildExperiment,
  buildGate,
  buildHoldout,
  buildLayer,
  buildSegment,
  compileOnce,
  condition,
  findSpec,
  group,
  ruleIDs,
  type Scope,
} from "../../../test/support/evaluated-project.ts";

type Experiment = Schema<"Experiment">;

const everyone = condition("public");
const bucket = (operator: string, targetValue: unknown, salt: string) => condition("user_bucket", { operator, targetValue, salt });
const plain = (id: string, conditions: object[], returnValue: object = {}) => ({
  id,
  name: id,
  groupName: null,
  salt: id,
  passPercentage: 100,
  conditions,
  returnValue,
  idType: "userID",
});
const GROUPS = [group("control", 33.3), { ...group("test", 66.7, { color: "red" }), name: "Test" }];
const inGroups = (values: [object, object], salt = "green_salt") => [
  { ...plain("control", [bucket("lt", 333, salt)], values[0]), groupName: "control", isExperimentGroup: true },
  { ...plain("test", [bucket("lt", 1000, salt)], values[1]), groupName: "Test", isExperimentGroup: true },
];
const running: Partial<Experiment> = { groups: GROUPS, status: "active", userBuckets: buckets(0, 1000) };
const compiled = (given: Partial<Experiment>, scope?: Scope) =>
  findSpec(compileOnce({ experiments: [buildExperiment("green", given)] }, scope), "green");

describe("an experiment", () => {
  test("that runs for all units divides them by its salt", () => {
    expect(compiled({ ...running, version: 9 })).toEqual({
      name: "green",
      type: "dynamic_config",
      salt: "green_salt",
      enabled: true,
      defaultValue: {},
      idType: "userID",
      entity: "experiment",
      rules: [plain("layerAssignment", [bucket("any", ["-1"], "green_salt:allocation")]), ...inGroups([{}, { color: "red" }])],
      isActive: true,
      hasSharedParams: false,
      version: 9,
    });
  });

  test("that runs for some units excludes those whose bucket it does not hold, with another salt than that of its groups", () => {
    expect(compiled({ ...running, userBuckets: [9, 2, 40] })?.rules[0]).toEqual(
      plain("layerAssignment", [bucket("none", ["2", "9", "40"], "green_salt:allocation")]),
    );
  });

  test("in a layer has the layer's buckets, and all parameters of the layer in each value", () => {
    const parameters = [
      { name: "color", type: "string" as const, defaultValue: "blue" },
      { name: "size", type: "number" as const, defaultValue: 1 },
    ];
    const experiment = buildExperiment("green", { ...running, layerID: "checkout", userBuckets: [1], holdoutIDs: ["held"] });
    const ruleset = compileOnce({
      experiments: [experiment],
      layers: [buildLayer("checkout", { parameters })],
      holdouts: [buildHoldout("held", { experimentIDs: ["green"] })],
    });
    const defaults = { color: "blue", size: 1 };
    expect(findSpec(ruleset, "green")).toMatchObject({ defaultValue: defaults, hasSharedParams: true, explicitParameters: ["color"] });
    expect(findSpec(ruleset, "green")?.rules).toEqual([
      plain("held", [condition("pass_gate", { targetValue: "held" })], defaults),
      plain("layerAssignment", [bucket("none", ["1"], "checkout")], defaults),
      ...inGroups([defaults, { color: "red", size: 1 }]),
    ]);
  });

  test("without a layer has no value for held-out units", () => {
    const ruleset = compileOnce({
      experiments: [buildExperiment("green", { ...running, holdoutIDs: ["held"] })],
      holdouts: [buildHoldout("held", { experimentIDs: ["green"] })],
    });
    expect(findSpec(ruleset, "green")?.rules[0]).toEqual({
      ...plain("held", [condition("pass_gate", { targetValue: "held" })]),
      passPercentage: 0,
    });
  });

  test("is targeted by a gate, and by inline rules that are a gate without exposures", () => {
    const rules = [
      { id: "r1", baseID: "r1", name: "Staff", passPercentage: 50, conditions: [{ type: "public" as const }], environments: null },
    ];
    const ruleset = compileOnce({
      gates: [buildGate("web")],
      experiments: [buildExperiment("green", { ...running, targetingGateID: "web", inlineTargetingRules: rules })],
    });
    expect(findSpec(ruleset, "green")?.rules.slice(1, 3)).toEqual([
      plain("targetingGate", [condition("fail_gate", { targetValue: "web" })]),
      plain("inlineTargetingRules", [condition("fail_gate", { targetValue: "segment:inline_targeting:green" })]),
    ]);
    expect(findSpec(ruleset, "segment:inline_targeting:green")).toEqual({
      name: "segment:inline_targeting:green",
      type: "feature_gate",
      salt: "segment:inline_targeting:green",
      enabled: true,
      defaultValue: false,
      idType: "userID",
      entity: "segment",
      rules: [{ ...plain("r1", [everyone]), name: "Staff", passPercentage: 50, returnValue: true }],
      version: 1,
    });
  });

  test("gives the units of a disabled group the values of units that take no part, and no group", () => {
    const groups = [GROUPS[0] as (typeof GROUPS)[0], { ...group("test", 66.7, { color: "red" }), disabled: true }];
    expect(compiled({ ...running, groups })?.rules.at(-1)).toEqual({
      ...plain("test:disabled", [bucket("lt", 1000, "green_salt")]),
      isExperimentGroup: false,
    });
  });

  test("has one rule for its state before it starts and after it ends", () => {
    expect(compiled({ status: "setup" })).toMatchObject({ isActive: false, rules: [plain("prestart", [everyone])] });
    expect(compiled({ status: "abandoned" })).toMatchObject({ isActive: false, rules: [plain("abandoned", [everyone])] });
    expect(compiled({ status: "experiment_stopped" })).toMatchObject({ isActive: false, rules: [plain("abandoned", [everyone])] });
    expect(compiled({ status: "archived" })).toBeUndefined();
    expect(compiled({ groups: GROUPS, status: "decision_made", launchedGroupID: "test" })).toMatchObject({
      isActive: false,
      rules: [{ ...plain("launchedGroup", [everyone], { color: "red" }), groupName: "Test" }],
    });
  });

  test("that ships to targeted units checks the targeting first", () => {
    const given: Partial<Experiment> = { groups: GROUPS, status: "decision_made", launchedGroupID: "test", targetingGateID: "web" };
    expect(ruleIDs(compiled(given))).toEqual(["targetingGate", "launchedGroup"]);
  });

  test("still divides its units after its assignment was stopped", () => {
    expect(compiled({ ...running, status: "assignment_stopped" })).toEqual(compiled(running));
  });

  test("runs in some environments before it is started", () => {
    const given: Partial<Experiment> = { groups: GROUPS, enabledNonProdEnvironments: ["staging"] };
    const [prestart, ...groups] = compiled(given)?.rules ?? [];
    expect(prestart).toEqual(
      plain("prestart", [condition("environment_field", { operator: "none", targetValue: ["staging"], field: "tier" })]),
    );
    expect(groups).toEqual(inGroups([{}, { color: "red" }]));
    expect(compiled(given, { environments: ["staging"], targetApps: [] })?.rules).toEqual(groups);
    expect(compiled(given, { environments: ["production"], targetApps: [] })?.rules).toEqual([plain("prestart", [everyone])]);
  });

  test("applies overrides first, even before it starts: IDs, then gates and segments, with environment-specific ones first in each", () => {
    const overrides: Schema<"ExperimentOverrides"> = {
      overrides: [
        { type: "segment", id: "staff", groupID: "test" },
        { type: "gate", id: "web", groupID: "control", environment: "staging" },
      ],
      userIDOverrides: [
        { groupID: "test", ids: ["u1", "u2"] },
        { groupID: "control", ids: ["s1"], unitType: "stableID", environment: "production" },
        { groupID: "gone", ids: ["u3"] },
      ],
      version: 1,
      createdTime: 1,
    };
    const ruleset = compileOnce({
      gates: [buildGate("web")],
      segments: [buildSegment("staff", "rule_based")],
      experiments: [buildExperiment("green", { groups: GROUPS })],
      experimentOverrides: { green: overrides },
    });
    const tier = (name: string, idType = "userID") =>
      condition("environment_field", { operator: "any", targetValue: [name], field: "tier", idType });
    const ids = (targetValue: string[], idType: string) => condition("unit_id", { operator: "any_case_sensitive", targetValue, idType });
    expect(findSpec(ruleset, "green")?.rules).toEqual([
      {
        ...plain("control:stableID:id_override", [tier("production", "stableID"), ids(["s1"], "stableID")]),
        groupName: "control",
        idType: "stableID",
      },
      { ...plain("test:userID:id_override", [ids(["u1", "u2"], "userID")], { color: "red" }), groupName: "Test" },
      { ...plain("control:override", [tier("staging"), condition("pass_gate", { targetValue: "web" })]), groupName: "control" },
      { ...plain("test:override", [condition("pass_gate", { targetValue: "segment:staff" })], { color: "red" }), groupName: "Test" },
      plain("prestart", [everyone]),
    ]);
  });
});

describe("a condition on the group of an experiment", () => {
  const rule = (operator: "any" | "none") => ({
    id: operator,
    baseID: operator,
    name: operator,
    passPercentage: 100,
    conditions: [{ type: "experiment_group" as const, field: "green", operator, targetValue: ["TEST"] }],
    environments: null,
  });

  test("is a gate with the experiment's conditions, passed by the groups that it matches", () => {
    const ruleset = compileOnce({ gates: [buildGate("beta", { rules: [rule("any")] })], experiments: [buildExperiment("green", running)] });
    const gate = findSpec(ruleset, 'segment:experiment_group:green:any:["TEST"]');
    const experiment = findSpec(ruleset, "green");
    expect(gate?.rules.map(({ conditions }) => conditions)).toEqual(experiment?.rules.map(({ conditions }) => conditions));
    expect(gate?.rules.map(({ id, passPercentage, returnValue, groupName }) => [id, passPercentage, returnValue, groupName])).toEqual([
      ["layerAssignment", 0, true, null],
      ["control", 0, true, null],
      ["test", 100, true, null],
    ]);
  });

  test("treats everyone as in no group if the experiment is not evaluated", () => {
    const ruleset = compileOnce({ gates: [buildGate("beta", { rules: [rule("any"), rule("none")] })] });
    expect(ruleIDs(findSpec(ruleset, 'segment:experiment_group:green:any:["TEST"]'))).toEqual([]);
    expect(findSpec(ruleset, 'segment:experiment_group:green:none:["TEST"]')?.rules).toEqual([
      { ...plain("noGroup", [everyone]), returnValue: true },
    ]);
  });
});

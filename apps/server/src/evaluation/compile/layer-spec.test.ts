import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import {
  buildExperiment,
  buildHoldout,
  buildLayer,
  compileOnce,
  condition,
  findSpec,
  ruleIDs,
} from "../../../test/support/evaluated-project.ts";

const DEFAULTS = { color: "blue", size: 1 };
const LAYER = buildLayer("checkout", {
  parameters: [
    { name: "color", type: "string", defaultValue: "blue" },
    { name: "size", type: "number", defaultValue: 1 },
  ],
});
const delegate = (id: string, configDelegate: string, conditions: object[]) => ({
  id,
  name: id,
  groupName: null,
  salt: id,
  passPercentage: 100,
  conditions,
  returnValue: DEFAULTS,
  idType: "userID",
  configDelegate,
});
const holding = (targetValue: string[]) => condition("user_bucket", { operator: "any", targetValue, salt: "checkout" });
const listed = (targetValue: string[], idType = "userID") => condition("unit_id", { operator: "any_case_sensitive", targetValue, idType });
const onLayer = (id: string, given: Partial<Schema<"Experiment">> = {}) => buildExperiment(id, { layerID: "checkout", ...given });
const running = { status: "active" as const };

describe("a layer", () => {
  test("delegates each unit to the experiment that holds its bucket", () => {
    const experiments = [
      onLayer("red", { ...running, userBuckets: [10, 3] }),
      onLayer("green", { ...running, userBuckets: [7] }),
      onLayer("new"),
      onLayer("over", { status: "abandoned" }),
      onLayer("old", { status: "archived" }),
    ];
    const ruleset = compileOnce({ layers: [LAYER], experiments });
    expect(ruleset.layer_configs).toEqual([
      {
        name: "checkout",
        type: "dynamic_config",
        salt: "checkout",
        enabled: true,
        defaultValue: DEFAULTS,
        idType: "userID",
        entity: "layer",
        rules: [
          delegate("experimentAssignment", "green", [holding(["7"])]),
          delegate("experimentAssignment", "red", [holding(["3", "10"])]),
        ],
        version: 1,
      },
    ]);
    expect(ruleset.layers).toEqual({ checkout: ["green", "new", "over", "red"] });
  });

  test("has overrides first, its own and those of its experiments, then holdouts, which also hold its experiments", () => {
    const overrides: Schema<"LayerOverrides"> = {
      conditionalOverrides: [{ type: "segment", name: "staff", experimentName: "green", groupName: "test" }],
      idOverrides: [
        { groupName: "control", ids: ["c1"], idType: "companyID", experimentName: "red" },
        { groupName: "test", ids: ["u1"], experimentName: null },
      ],
      version: 1,
      createdTime: 1,
    };
    const own: Schema<"ExperimentOverrides"> = {
      overrides: [{ type: "gate", id: "web", groupID: "control" }],
      userIDOverrides: [{ groupID: "test", ids: ["u2"] }],
      version: 1,
      createdTime: 1,
    };
    const ruleset = compileOnce({
      layers: [{ ...LAYER, holdoutIDs: ["held"] }],
      experiments: [onLayer("green"), onLayer("red", { ...running, userBuckets: [1] })],
      layerOverrides: { checkout: overrides },
      experimentOverrides: { green: own },
      holdouts: [buildHoldout("held", { layerIDs: ["checkout"] })],
    });
    const { configDelegate: _, ...held } = delegate("held", "", [condition("pass_gate", { targetValue: "held" })]);
    expect(findSpec(ruleset, "checkout")?.rules).toEqual([
      delegate("green test:id_override", "green", [listed(["u2"])]),
      delegate("red control:id_override", "red", [listed(["c1"], "companyID")]),
      delegate("red test:id_override", "red", [listed(["u1"])]),
      delegate("green test:override", "green", [condition("pass_gate", { targetValue: "segment:staff" })]),
      delegate("green control:override", "green", [condition("pass_gate", { targetValue: "web" })]),
      held,
      delegate("experimentAssignment", "red", [holding(["1"])]),
    ]);
    expect(ruleIDs(findSpec(ruleset, "green"))).toEqual([
      "test:userID:id_override",
      "test:override",
      "control:override",
      "held",
      "prestart",
    ]);
    expect(ruleIDs(findSpec(ruleset, "red")).slice(0, 3)).toEqual(["control:companyID:id_override", "test:userID:id_override", "held"]);
  });

  test("delegates units to an experiment that runs in their environment before its start, after all started ones", () => {
    const experiments = [onLayer("a", { enabledNonProdEnvironments: ["staging"] }), onLayer("b", { ...running, userBuckets: [1] })];
    const tier = condition("environment_field", { operator: "any", targetValue: ["staging"], field: "tier" });
    const rulesFor = (...environments: string[]) =>
      findSpec(compileOnce({ layers: [LAYER], experiments }, { environments, targetApps: [] }), "checkout")?.rules;
    const started = delegate("experimentAssignment", "b", [holding(["1"])]);
    expect(rulesFor()).toEqual([started, delegate("experimentAssignment", "a", [tier])]);
    expect(rulesFor("staging")).toEqual([started, delegate("experimentAssignment", "a", [condition("public")])]);
    expect(rulesFor("production")).toEqual([started]);
  });

  test("that was deleted leaves its experiments with their own values", () => {
    const spec = findSpec(compileOnce({ experiments: [onLayer("green", { ...running, userBuckets: [1] })] }), "green");
    expect(spec).toMatchObject({ defaultValue: {}, hasSharedParams: false });
    expect(spec?.rules[0]?.conditions).toEqual([condition("user_bucket", { operator: "none", targetValue: ["1"], salt: "checkout" })]);
  });
});

import { describe, expect, test } from "vitest";
import { createEvaluator, hashName } from "../src/index.ts";
import { asV2, condition, config, gate, rule, ruleset } from "./support/ruleset.ts";
import { needsSharedData, sharedJSON } from "./support/shared-data.ts";

describe("the SDKs' own initialize response", needsSharedData, () => {
  test("is what is made for its ruleset and user", () => {
    const { generator, sdkInfo, ...expected } = sharedJSON("node_initialize_response.json");
    const response = createEvaluator(sharedJSON("node_download_config_spec.json")).initialize(expected.user, { hash: "djb2" });
    const own = { generator: "gatehouse", sdkInfo: { sdkType: "gatehouse" }, time: 1_648_589_257_397, param_stores: {} };
    expect(response).toEqual({ ...expected, ...own });
  });
});

describe("an initialize response", () => {
  const passGate = condition("pass_gate", { targetValue: "on" });
  const given = ruleset({
    feature_gates: [
      gate("on", [rule("all")]),
      gate("dependent", [rule("r", { conditions: [passGate] })], { idType: "companyID" }),
      gate("segment:s", [rule("all")], { entity: "segment" }),
      gate("holdout", [rule("all")], { entity: "holdout" }),
    ],
    dynamic_configs: [
      config("colours", "dynamic_config", [rule("r", { returnValue: { main: "red" }, groupName: "Red" })]),
      config("size", "experiment", [rule("test", { returnValue: { size: 2 }, groupName: "Test", isExperimentGroup: true })], {
        isActive: true,
        hasSharedParams: true,
        explicitParameters: ["size"],
        idType: "stableID",
      }),
    ],
    layer_configs: [config("page", "layer", [rule("a", { configDelegate: "size", conditions: [passGate] })])],
    param_stores: {
      store: {
        parameters: {
          fixed: { ref_type: "static", param_type: "number", value: 1 },
          switch: { ref_type: "gate", param_type: "string", gate_name: "on", pass_value: "yes", fail_value: "no" },
        },
      },
    },
  });
  const user = { userID: "alice", customIDs: { companyID: "acme" }, email: "alice@example.com", privateAttributes: { secret: "s" } };

  const exposure = (name: string) => ({ gate: name, gateValue: "true", ruleID: "all" });
  const common = (name: string, ruleID: string) => ({
    name,
    group: ruleID,
    rule_id: ruleID,
    secondary_exposures: [],
    is_device_based: false,
  });
  const expected = {
    feature_gates: {
      on: { name: "on", value: true, rule_id: "all", secondary_exposures: [], id_type: "userID" },
      dependent: { name: "dependent", value: true, rule_id: "r", secondary_exposures: [exposure("on")], id_type: "companyID" },
    },
    dynamic_configs: {
      colours: { ...common("colours", "r"), value: { main: "red" }, group_name: "Red", id_type: "userID", passed: true },
      size: {
        ...common("size", "test"),
        value: { size: 2 },
        group_name: "Test",
        is_device_based: true,
        id_type: "stableID",
        is_user_in_experiment: true,
        is_experiment_active: true,
        is_in_layer: true,
        explicit_parameters: ["size"],
      },
    },
    layer_configs: {
      page: {
        ...common("page", "test"),
        value: { size: 2 },
        group_name: "Test",
        secondary_exposures: [exposure("on")],
        undelegated_secondary_exposures: [exposure("on")],
        explicit_parameters: ["size"],
        allocated_experiment_name: "size",
        is_user_in_experiment: true,
        is_experiment_active: true,
      },
    },
    param_stores: { store: given.param_stores?.store?.parameters },
    has_updates: true,
    time: given.time,
    hash_used: "none",
    evaluated_keys: { userID: "alice", customIDs: { companyID: "acme" } },
    user: { userID: "alice", customIDs: { companyID: "acme" }, email: "alice@example.com" },
    sdkParams: {},
    sdkInfo: { sdkType: "gatehouse" },
    generator: "gatehouse",
  };

  test("has all answers but those of segments and holdouts, and nothing private, in both shapes", () => {
    for (const shape of [given, asV2(given)]) expect(createEvaluator(shape).initialize(user, { hash: "none" })).toEqual(expected);
  });

  test.each(["djb2", "sha256"] as const)("hashes every name with %s: keys, exposures, experiments, what parameters refer to", (hash) => {
    const response = createEvaluator(given).initialize(user, { hash });
    const hashed = (name: string) => hashName(name, hash);
    expect(Object.keys(response.feature_gates).toSorted()).toEqual([hashed("on"), hashed("dependent")].toSorted());
    expect(response.feature_gates[hashed("dependent")]).toEqual({
      ...expected.feature_gates.dependent,
      name: hashed("dependent"),
      secondary_exposures: [exposure(hashed("on"))],
    });
    expect(response.layer_configs[hashed("page")]).toEqual({
      ...expected.layer_configs.page,
      name: hashed("page"),
      secondary_exposures: [exposure(hashed("on"))],
      undelegated_secondary_exposures: [exposure(hashed("on"))],
      allocated_experiment_name: hashed("size"),
    });
    expect(response.param_stores[hashed("store")]).toMatchObject({ switch: { gate_name: hashed("on") }, fixed: { value: 1 } });
    expect(response.hash_used).toBe(hash);
  });

  test("has the same answer for every spec as a single evaluation, no matter which users were evaluated before", () => {
    const evaluator = createEvaluator(given);
    const users = [user, { userID: "bob" }, { ...user, userID: "carol", email: null }, {}];
    for (const asked of [...users, ...users]) {
      const { feature_gates, dynamic_configs, layer_configs } = evaluator.initialize(asked, { hash: "none" });
      for (const name of Object.keys(feature_gates)) {
        const { value, ruleID, secondaryExposures } = evaluator.gate(name, asked);
        expect(feature_gates[name]).toMatchObject({ value, rule_id: ruleID, secondary_exposures: secondaryExposures });
      }
      for (const name of Object.keys(dynamic_configs)) {
        const { value, ruleID, secondaryExposures } = evaluator.config(name, asked);
        expect(dynamic_configs[name]).toMatchObject({ value, rule_id: ruleID, secondary_exposures: secondaryExposures });
      }
      for (const name of Object.keys(layer_configs)) {
        const { value, ruleID, secondaryExposures, undelegatedSecondaryExposures, explicitParameters } = evaluator.layer(name, asked);
        expect(layer_configs[name]).toMatchObject({
          value,
          rule_id: ruleID,
          secondary_exposures: secondaryExposures,
          undelegated_secondary_exposures: undelegatedSecondaryExposures,
          explicit_parameters: explicitParameters,
        });
      }
    }
  });

  test("follows an experiment that changed though its layer did not", () => {
    const layer = config("page", "layer", [rule("a", { configDelegate: "size" })]);
    for (const size of [1, 2, 3]) {
      const experiment = config("size", "experiment", [rule("test", { returnValue: { size }, isExperimentGroup: true })]);
      const evaluator = createEvaluator(ruleset({ dynamic_configs: [experiment], layer_configs: [layer] }));
      expect(evaluator.initialize(user, { hash: "none" }).layer_configs.page).toMatchObject({ value: { size } });
      expect(evaluator.layer("page", user).value).toEqual({ size });
    }
  });

  test("follows a gate that changed though what depends on it did not", () => {
    const dependent = gate("dependent", [rule("r", { conditions: [passGate] })]);
    for (const value of [true, false, true]) {
      const on = gate("on", [rule(`now_${value}`, { returnValue: value })]);
      const { feature_gates } = createEvaluator(ruleset({ feature_gates: [on, dependent] })).initialize(user, { hash: "none" });
      expect(feature_gates.dependent).toMatchObject({
        value,
        secondary_exposures: [{ gate: "on", gateValue: String(value), ruleID: `now_${value}` }],
      });
    }
  });

  test("has no evaluated keys for a user without ids", () => {
    expect(createEvaluator(given).initialize({ email: "a@example.com" }, { hash: "none" }).evaluated_keys).toEqual({});
  });

  test("keeps a gate whose name means something to objects", () => {
    const evaluator = createEvaluator(ruleset({ feature_gates: [gate("__proto__", [rule("all")])] }));
    expect(Object.keys(evaluator.initialize(user, { hash: "none" }).feature_gates)).toEqual(["__proto__"]);
  });
});

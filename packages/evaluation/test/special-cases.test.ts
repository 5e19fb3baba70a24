import { describe, expect, test } from "vitest";
import { createEvaluator } from "../src/index.ts";
import { needsSharedData, sharedJSON } from "./support/shared-data.ts";

const user = { userID: "alice" };
const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const app = "ChatGPT/1.2025.245 (iOS 18.6.2; iPhone14,5; build 17507616669)";
const newSafari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

describe("an evaluator agrees with the SDKs about", needsSharedData, () => {
  test("gates that depend on gates that do not exist, or on none at all", () => {
    const { gate } = createEvaluator(sharedJSON("core_dcs_missing_gates.json"));
    const values = ["pass_gate_not_found", "pass_gate_not_set", "fail_gate_not_found", "fail_gate_not_set"].map((name) => {
      const { value, ruleID } = gate(`test_${name}`, user);
      return [name, value, ruleID];
    });
    expect(values).toEqual([
      ["pass_gate_not_found", false, "default"],
      ["pass_gate_not_set", false, "default"],
      ["fail_gate_not_found", true, "test_rule"],
      ["fail_gate_not_set", true, "test_rule"],
    ]);
  });

  test("a list of values that must not be there, where it is null", () => {
    const { gate } = createEvaluator(sharedJSON("core_dcs_non_case_sensitive.json"));
    expect(gate("test_none_case_sensitive", user)).toMatchObject({ value: true, ruleID: "dummy_rule_id" });
  });

  test("specs of several target apps, and answers all: which of them a key reaches is decided before", () => {
    const evaluator = createEvaluator(sharedJSON("core_dcs_target_app_filtering.json"));
    const response = evaluator.initialize(user, { hash: "none" });
    expect(Object.keys(response.feature_gates)).toEqual(["gate_app_a", "gate_app_b", "gate_no_target"]);
    expect(Object.keys(response.dynamic_configs)).toEqual(["config_app_a", "config_app_b", "exp_app_a", "exp_app_b"]);
    expect(evaluator.layer("layer_app_b", user).value).toEqual({ param: "b" });
    expect(evaluator.paramStore("ps_app_a", user)).toEqual({ value: {}, reason: "recognised", isStatic: true });
  });

  test("versions of systems and browsers from user agents", () => {
    const { gate } = createEvaluator(sharedJSON("core_dcs_user_agent_versions.json"));
    const rules = [undefined, app, chrome, newSafari].map((userAgent) =>
      ["test_browser_version", "test_os_version"].map((name) => gate(name, { ...user, userAgent }).ruleID),
    );
    const [browser, system] = ["test_browser_version_rule_id", "test_os_version_rule_id"];
    expect(rules).toEqual([
      ["default", "default"],
      ["default", system],
      [browser, system],
      [browser, "default"],
    ]);
  });

  test("numbers of every size", () => {
    const { value } = createEvaluator(sharedJSON("core_big_number_dcs.json")).config("big_number", user);
    expect(value).toEqual({ foo: 1e21, bar: 1e60, boo: 99, bbb: 1e55, rar: 9_999_999_999, f64: 0.9999999999999991 });
  });
});

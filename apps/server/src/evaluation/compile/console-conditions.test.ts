import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import { condition } from "../../../test/support/evaluated-project.ts";
import { toCondition } from "./console-conditions.ts";
import { toRulesetScope } from "./ruleset-scope.ts";

type Given = Schema<"Condition">;

const NOBODY = condition("unit_id", { operator: "any", targetValue: [] });
const compiled = (given: Given, targetApps: string[] = []) =>
  toCondition(given, toRulesetScope({ environments: [], targetApps }), "userID");

describe("a condition of the console", () => {
  test.each<[Given, ReturnType<typeof condition>]>([
    [{ type: "public" }, condition("public")],
    [{ type: "passes_gate", targetValue: "beta" }, condition("pass_gate", { targetValue: "beta" })],
    [{ type: "fails_gate", targetValue: "beta" }, condition("fail_gate", { targetValue: "beta" })],
    [{ type: "passes_segment", targetValue: "staff" }, condition("pass_gate", { targetValue: "segment:staff" })],
    [{ type: "fails_segment", targetValue: "staff" }, condition("fail_gate", { targetValue: "segment:staff" })],
    [
      { type: "user_id", operator: "any", targetValue: ["a", 1] },
      condition("unit_id", { operator: "any", targetValue: ["a", "1"], idType: "userID" }),
    ],
    [
      { type: "email", operator: "any", targetValue: "a" },
      condition("user_field", { operator: "any", targetValue: ["a"], field: "email" }),
    ],
    [
      { type: "app_version", operator: "version_lt", targetValue: 94 },
      condition("user_field", { operator: "version_lt", targetValue: "94", field: "appVersion" }),
    ],
    [
      { type: "unit_id", operator: "none", targetValue: ["c"], customID: "companyID" },
      condition("unit_id", { operator: "none", targetValue: ["c"], idType: "companyID" }),
    ],
    [
      { type: "user_id", operator: "in_segment_list", targetValue: "staff" },
      condition("unit_id", { operator: "in_segment_list", targetValue: "staff" }),
    ],
    [
      { type: "email", operator: "str_ends_with_any", targetValue: ["@x.io"] },
      condition("user_field", { operator: "str_ends_with_any", targetValue: ["@x.io"], field: "email" }),
    ],
    [
      { type: "custom_field", operator: "gte", targetValue: 5, field: "level" },
      condition("user_field", { operator: "gte", targetValue: 5, field: "level" }),
    ],
    [
      { type: "app_version", operator: "version_gt", targetValue: "1.2" },
      condition("user_field", { operator: "version_gt", targetValue: "1.2", field: "appVersion" }),
    ],
    [
      { type: "country", operator: "any", targetValue: ["NZ"] },
      condition("ip_based", { operator: "any", targetValue: ["NZ"], field: "country" }),
    ],
    [
      { type: "locale", operator: "any", targetValue: ["de"] },
      condition("user_field", { operator: "any", targetValue: ["de"], field: "locale" }),
    ],
    [
      { type: "ip_address", operator: "any", targetValue: ["::1"] },
      condition("user_field", { operator: "any", targetValue: ["::1"], field: "ip" }),
    ],
    [
      { type: "ip_address", operator: "any", targetValue: ["10.0.0.0/8", "1.2.3.4"] },
      condition("user_field", { operator: "str_matches", targetValue: "^(?:10\\.[0-9]+\\.[0-9]+\\.[0-9]+|1\\.2\\.3\\.4)$", field: "ip" }),
    ],
    [
      { type: "device_model", operator: "any", targetValue: ["a"] },
      condition("user_field", { operator: "any", targetValue: ["a"], field: "deviceModel" }),
    ],
    [
      { type: "user_agent", operator: "str_matches", targetValue: "bot" },
      condition("user_field", { operator: "str_matches", targetValue: "bot", field: "userAgent" }),
    ],
    [
      { type: "os_name", operator: "any", targetValue: ["iOS"] },
      condition("ua_based", { operator: "any", targetValue: ["iOS"], field: "os_name" }),
    ],
    [
      { type: "os_version", operator: "version_eq", targetValue: "17" },
      condition("ua_based", { operator: "version_eq", targetValue: "17", field: "os_version" }),
    ],
    [
      { type: "browser_name", operator: "any", targetValue: ["Chrome"] },
      condition("ua_based", { operator: "any", targetValue: ["Chrome"], field: "browser_name" }),
    ],
    [
      { type: "browser_version", operator: "version_lt", targetValue: "99" },
      condition("ua_based", { operator: "version_lt", targetValue: "99", field: "browser_version" }),
    ],
    [
      { type: "environment_tier", operator: "none", targetValue: ["staging"] },
      condition("environment_field", { operator: "none", targetValue: ["staging"], field: "tier" }),
    ],
    [
      { type: "environment_tier", targetValue: "staging" },
      condition("environment_field", { operator: "any", targetValue: ["staging"], field: "tier" }),
    ],
    [{ type: "time", operator: "after", targetValue: 5 }, condition("current_time", { operator: "after", targetValue: 5 })],
    [{ type: "email", operator: "is_null" }, condition("user_field", { operator: "eq", field: "email" })],
    [{ type: "custom_field", operator: "is_not_null", field: "plan" }, condition("user_field", { operator: "neq", field: "plan" })],
    [
      { type: "experiment_group", operator: "any", targetValue: ["Test"], field: "green" },
      condition("pass_gate", { targetValue: 'segment:experiment_group:green:any:["Test"]' }),
    ],
    [{ type: "public", operator: "", targetValue: [] }, condition("public")],
    [{ type: "passes_gate", operator: "", targetValue: ["beta"] }, condition("pass_gate", { targetValue: "beta" })],
    [{ type: "fails_segment", operator: null, targetValue: ["staff"] }, condition("fail_gate", { targetValue: "segment:staff" })],
    [
      { type: "app_version", operator: "version_gt", targetValue: ["1.1.1"] },
      condition("user_field", { operator: "version_gt", targetValue: "1.1.1", field: "appVersion" }),
    ],
    [
      { type: "custom_field", operator: "gt", targetValue: ["31"], field: "age" },
      condition("user_field", { operator: "gt", targetValue: 31, field: "age" }),
    ],
    [{ type: "time", operator: "after", targetValue: "5" }, condition("current_time", { operator: "after", targetValue: 5 })],
    [
      { type: "environment_tier", operator: "", targetValue: ["staging"] },
      condition("environment_field", { operator: "any", targetValue: ["staging"], field: "tier" }),
    ],
    [{ type: "url", operator: "any", targetValue: ["/"] }, NOBODY],
    [{ type: "javascript", operator: "str_matches", targetValue: "x" }, NOBODY],
    [{ type: "user_id", operator: "encoded_any", targetValue: ["x"] }, NOBODY],
    [{ type: "experiment_group", operator: "any", targetValue: ["Test"] }, NOBODY],
  ])("%j is compiled to what SDKs know", (given, expected) => {
    expect(compiled(given)).toEqual(expected);
  });

  test("on the target app is decided by the key's target apps", () => {
    const given: Given = { type: "target_app", operator: "any", targetValue: ["Web"] };
    expect(compiled(given, ["web", "ios"])).toEqual(condition("public"));
    expect(compiled(given, ["ios"])).toEqual(NOBODY);
    expect(compiled(given)).toEqual(NOBODY);
    expect(compiled({ ...given, operator: "any_case_sensitive" }, ["web"])).toEqual(NOBODY);
    expect(compiled({ ...given, operator: "none" })).toEqual(condition("public"));
    expect(compiled({ ...given, operator: "none" }, ["web"])).toEqual(NOBODY);
  });
});

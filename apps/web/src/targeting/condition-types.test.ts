import { describe, expect, test } from "vitest";
import { CONDITION_TYPES, conditionInput, offeredOperators, offeredTypes, operatorLabel } from "./condition-types.ts";
import { OPERATORS } from "./operators.ts";
import type { Condition, ConditionType, Operator } from "./types.ts";

const TYPES = Object.keys(CONDITION_TYPES) as ConditionType[];

describe("the catalogue", () => {
  test("offers every type but those that no application evaluates", () => {
    const offered = offeredTypes("flag").flatMap(({ types }) => types);
    expect(TYPES.filter((type) => !offered.includes(type))).toEqual(["url", "javascript"]);
  });

  test("offers every operator for some type, except encoded_any and those of segment lists", () => {
    const offered = new Set(TYPES.flatMap((type) => CONDITION_TYPES[type].operators));
    expect((Object.keys(OPERATORS) as Operator[]).filter((operator) => !offered.has(operator))).toEqual([
      "encoded_any",
      "in_segment_list",
      "not_in_segment_list",
    ]);
  });

  test.each(TYPES)("calls the operators of %s by different words", (type) => {
    const labels = CONDITION_TYPES[type].operators.map((operator) => operatorLabel(type, operator));
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("groups the types, and leaves out those that segments cannot have", () => {
    expect(offeredTypes("segment").map(({ group, types }) => `${group}: ${types.join(", ")}`)).toEqual([
      "User: user_id, email, custom_field, unit_id",
      "App and device: app_version, os_name, os_version, browser_name, browser_version",
      "Place and time: country, ip_address, environment_tier",
      "Segments and other flags: passes_segment, fails_segment",
    ]);
  });
});

test("offeredOperators keeps an operator that the type is not offered with", () => {
  expect(offeredOperators({ type: "time", operator: "before" })).toEqual(["before", "after", "on"]);
  expect(offeredOperators({ type: "time", operator: "gt" })).toEqual(["before", "after", "on", "gt"]);
  expect(offeredOperators({ type: "environment_tier" })).toEqual(["any", "none"]);
});

test("operatorLabel tells versions from numbers where a type can be either", () => {
  expect(operatorLabel("app_version", "version_gte")).toBe("is at least");
  expect(operatorLabel("custom_field", "version_gte")).toBe("is at least (version)");
  expect(operatorLabel("custom_field", "gte")).toBe("is at least");
});

test.each<[Pick<Condition, "type" | "operator">, ReturnType<typeof conditionInput>]>([
  [{ type: "public" }, "none"],
  [{ type: "passes_gate", operator: "" }, "gate"],
  [{ type: "fails_segment", operator: null }, "segment"],
  [{ type: "email", operator: "any" }, "list"],
  [{ type: "email", operator: "str_matches" }, "text"],
  [{ type: "email", operator: "is_null" }, "none"],
  [{ type: "country", operator: "none" }, "countries"],
  [{ type: "country", operator: "str_contains_any" }, "list"],
  [{ type: "environment_tier" }, "environments"],
  [{ type: "target_app", operator: "any_case_sensitive" }, "target-apps"],
  [{ type: "experiment_group", operator: "any" }, "experiment-groups"],
  [{ type: "custom_field", operator: "gt" }, "number"],
  [{ type: "custom_field", operator: "on" }, "day"],
  [{ type: "app_version", operator: "version_lt" }, "version"],
  [{ type: "time", operator: "after" }, "time"],
  [{ type: "user_id", operator: "in_segment_list" }, "segment-list"],
])("the value of %j is entered as %s", (condition, expected) => {
  expect(conditionInput(condition)).toBe(expected);
});

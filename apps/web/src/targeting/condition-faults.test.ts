import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCondition } from "./arbitrary.ts";
import { newCondition } from "./condition-draft.ts";
import { findFaults } from "./condition-faults.ts";
import type { Condition, ConditionType } from "./types.ts";

const words = (condition: Condition) => findFaults(condition).map(({ property, message, level }) => `${level} at ${property}: ${message}`);

describe("findFaults", () => {
  test.each<[ConditionType, string[]]>([
    ["public", []],
    ["email", ["error at targetValue: Add at least one value."]],
    ["app_version", ["error at targetValue: Enter a version, such as 2.10.3."]],
    ["country", ["error at targetValue: Choose at least one country."]],
    ["environment_tier", ["error at targetValue: Choose at least one environment."]],
    ["target_app", ["error at targetValue: Choose at least one target app."]],
    ["time", ["error at targetValue: Enter a date and time."]],
    ["passes_gate", ["error at targetValue: Choose a gate."]],
    ["fails_segment", ["error at targetValue: Choose a segment."]],
    ["custom_field", ["error at field: Enter the name of the custom field.", "error at targetValue: Add at least one value."]],
    ["unit_id", ["error at customID: Choose a unit ID type.", "error at targetValue: Add at least one value."]],
    ["experiment_group", ["error at field: Choose an experiment.", "error at targetValue: Choose at least one group."]],
  ])("says what a new condition of type %s lacks", (type, expected) => {
    expect(words(newCondition(type))).toEqual(expected);
  });

  test.each<[Condition, string[]]>([
    [{ type: "email", operator: "any", targetValue: [""] }, ["error at targetValue: Add at least one value."]],
    [{ type: "email", operator: "any", targetValue: "a" }, []],
    [{ type: "ip_address", operator: "any", targetValue: ["10.0.0.0/8", "255.1.2.3/32", "::1"] }, []],
    [
      { type: "ip_address", operator: "any", targetValue: ["10.0.0.0/8", "2001:db8::/32"] },
      ["error at targetValue: Use IPv4 ranges, such as 10.0.0.0/8. SDKs can’t match 2001:db8::/32."],
    ],
    [
      { type: "ip_address", operator: "none", targetValue: ["10.0.0.0/8"] },
      ["error at targetValue: Ranges work only with “is any of”. For the opposite, put them in a segment and use “Not in segment”."],
    ],
    [{ type: "email", targetValue: ["a"] }, ["error at operator: Choose an operator."]],
    [{ type: "email", operator: "is_null", targetValue: ["a"] }, ["error at targetValue: This condition has no value."]],
    [{ type: "public", operator: "any" }, ["error at operator: This condition has no operator."]],
    [{ type: "time", operator: "after", targetValue: "noon" }, ["error at targetValue: Enter a date and time."]],
    [{ type: "time", operator: "after", targetValue: [1, 2] }, ["error at targetValue: Only one value is possible here."]],
    [{ type: "app_version", operator: "version_gt", targetValue: 2 }, []],
    [{ type: "time", operator: "after", targetValue: "5" }, []],
    [
      { type: "time", operator: "after", targetValue: 1_763_600_000 },
      ["error at targetValue: This looks like a time in seconds. Choose the date and time again."],
    ],
    [
      { type: "custom_field", field: "joined", operator: "on", targetValue: 1e15 },
      ["error at targetValue: This is after the year 9999. Choose the date and time again."],
    ],
    [{ type: "environment_tier", targetValue: "staging" }, []],
    [{ type: "app_version", operator: "version_gt", targetValue: "2.1-beta" }, []],
    [
      { type: "app_version", operator: "version_gt", targetValue: "v2" },
      ["error at targetValue: Start the version with a number, such as 2.10.3."],
    ],
    [
      { type: "app_version", operator: "version_eq", targetValue: "1.2.3+45" },
      ["warning at targetValue: Use numbers and dots, such as 2.10.3. Other characters end the comparison early."],
    ],
    [
      { type: "country", operator: "any", targetValue: ["NO", "Denmark"] },
      ["warning at targetValue: Use two-letter country codes, such as NO. No user matches Denmark."],
    ],
    [
      { type: "email", operator: "str_matches", targetValue: "(" },
      ["warning at targetValue: This regular expression isn’t valid, so no user matches."],
    ],
    [{ type: "email", operator: "str_matches", targetValue: "(?i)^(?P<name>a)+$" }, []],
    [
      { type: "user_id", operator: "encoded_any", targetValue: ["a"] },
      ["warning at operator: SDKs don’t support this operator, so no user matches."],
    ],
    [{ type: "time", operator: "gt", targetValue: 1 }, ["warning at operator: SDKs don’t support this operator, so no user matches."]],
    [{ type: "url", operator: "any", targetValue: ["/"] }, ["warning at type: SDKs don’t evaluate JavaScript, so no user matches."]],
  ])("%j", (condition, expected) => {
    expect(words(condition)).toEqual(expected);
  });

  test("warns of a pattern that is too long for SDKs", () => {
    const matching = (targetValue: string) => words({ type: "email", operator: "str_matches", targetValue });
    expect(matching("a".repeat(999))).toEqual([]);
    expect(matching("a".repeat(1000))).toEqual(["warning at targetValue: Use at most 999 characters. Longer patterns match no user."]);
  });

  test("finds no error in a complete condition", () => {
    const isError = ({ level }: { level: string }) => level === "error";
    fc.assert(
      fc.property(anyCondition, (condition) => {
        expect(findFaults(condition).filter(isError)).toEqual([]);
      }),
    );
  });
});

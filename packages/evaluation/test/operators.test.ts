import { describe, expect, test } from "vitest";
import { createEvaluator } from "../src/index.ts";
import { condition, gate, rule, ruleset } from "./support/ruleset.ts";
import { needsSharedData, sharedJSON } from "./support/shared-data.ts";

function passes(operator: string, targetValue: unknown, value: unknown): boolean {
  const gates = [gate("g", [rule("r", { conditions: [condition("user_field", { field: "f", operator, targetValue })] })])];
  return createEvaluator(ruleset({ feature_gates: gates })).gate("g", { custom: value === undefined ? {} : { f: value } }).value;
}

type Row = { op: string; target: unknown; value: unknown; core: boolean };

describe("the operators' truth table", needsSharedData, () => {
  test("holds with the newer SDK generation's answer in all 3,276 rows", () => {
    const { rows } = sharedJSON("operator_truth_table.json") as { rows: Row[] };
    const read = (value: unknown) => (value === "$missing" ? undefined : value === "$a*1001" ? "a".repeat(1001) : value);
    expect(rows).toHaveLength(3276);
    expect(rows.filter(({ op, target, value, core }) => passes(op, target, read(value)) !== core)).toEqual([]);
  });
});

/** Every value is one for which the operator holds, or for which it does not. */
type Case = [operator: string, target: unknown, holds: unknown[], fails: unknown[]];

const MIDNIGHT = 1_609_459_200_000;
const NOON = "2021-01-01T12:00:00Z";

const cases: Case[] = [
  ["gt", 5, [6, "5.1", "1e3", "inf"], [5, "5", "", "abc", true, null, undefined, [6], " 6", "0x10"]],
  ["gte", "5", [5, "5.0", "05"], [4.9, "-inf"]],
  ["lt", 5, [4, "-5", ".5", "4."], [5, "", false, undefined, []]],
  ["lte", 0, [0, "-0"], [1, "", false]],
  ["version_gt", "1.2.3", ["1.2.4", "1.10", "2", "1.2.3.1", 5, "1.3.x"], ["1.2.3", "1.2.3-beta", "v2", "1.2.x", "", undefined]],
  ["version_eq", "1.2", ["1.2", "1.2.0", "1.2-rc.1", " 1.2", 1.2], ["1.2.", "1.2.1", "1..2"]],
  ["version_neq", "1.2", ["1.3", "1.2.1"], ["1.2.0", "x", ""]],
  ["version_lte", "10", ["9.9", "10.0"], ["10.0.1"]],
  ["version_gt", 1, [], ["2", 2]],
  ["any", ["a", 1, null], ["A", "1", 1, "null"], ["b", null, undefined]],
  ["any", { a: true, B: true }, ["a", "A"], ["B", "b", "c"]],
  ["none", ["a"], ["b", undefined, ["a"]], ["a", "A"]],
  ["none", null, ["a", undefined], []],
  ["any_case_sensitive", ["Foo"], ["Foo"], ["foo", "FOO", undefined]],
  ["any_case_sensitive", ["Foo", "foo"], ["foo"], ["Foo"]],
  ["any_case_sensitive", { a: true }, [], ["a"]],
  ["none_case_sensitive", ["Foo"], ["foo", undefined], ["Foo"]],
  ["str_starts_with_any", ["ab", "X"], ["ABC", "x1"], ["cab", undefined]],
  ["str_ends_with_any", ["@Example.com"], ["a@example.COM"], ["a@example.com.evil"]],
  ["str_contains_any", ["oo", ""], ["Foo", "bar", undefined], []],
  ["str_contains_none", ["oo"], ["bar", undefined], ["FOO"]],
  ["eq", 5, [5, "5", "5.0"], [6, "abc", undefined]],
  ["eq", "5", [5, "5"], ["5.0"]],
  ["eq", null, [null, undefined], ["", 0, false]],
  ["eq", true, [true], [1, "true"]],
  ["eq", ["a", 1], [["a", "1"]], [["a"], [1, "a"], "a"]],
  ["eq", { a: 1 }, [{ a: "1" }], [{ a: 1, b: 2 }, { b: 1 }, "a"]],
  ["neq", "a", ["b", undefined, ["a"]], ["a"]],
  ["before", NOON, [MIDNIGHT, MIDNIGHT / 1000, String(MIDNIGHT), "2021-01-01 11:59:59", "2020-12-31T00:00:00Z"], [NOON, "", true]],
  ["after", MIDNIGHT, [NOON, MIDNIGHT + 1, "2021-1-1 0:00:01"], [MIDNIGHT, "2021-02-30T00:00:00Z", "2021-01-01T24:00:00Z", "2021-01-01"]],
  ["on", MIDNIGHT, [NOON, "2021-01-01 23:59:59", MIDNIGHT / 1000 + 86_399], ["2020-12-31T23:59:59Z", "2021-01-01", undefined]],
  ["on", "2021-01-01T01:00:00.5+02:00", ["2020-12-31T00:00:00Z"], [NOON]],
  ["after", MIDNIGHT, [9e18, "9000000000000000000"], [1e19, 1e21, "10000000000000000000"]],
  ["after", MIDNIGHT, [], ["2021-01-01T12:00:00.000Z", "2021-01-01T12:00:00+02:00"]],
  ["array_contains_any", ["a", 1], [["a"], ["x", 1], ["1"]], [["A"], [], "a", undefined]],
  ["array_contains_none", ["a"], [["A"], []], [["a"], "b", undefined]],
  ["array_contains_all", ["a", "b"], [["b", "c", "a"]], [["a"], "ab"]],
  ["array_contains_all", [], [[], ["a"]], ["a"]],
  ["not_array_contains_all", ["a", "b"], [["a"], []], [["a", "b"], undefined]],
  ["array_contains_any", "a", [], [["a"]]],
];

describe("the operator", () => {
  test.each(cases)("%s with the target %j holds for %j and not for %j", (operator, target, holds, fails) => {
    expect(holds.filter((value) => !passes(operator, target, value))).toEqual([]);
    expect(fails.filter((value) => passes(operator, target, value))).toEqual([]);
  });
});

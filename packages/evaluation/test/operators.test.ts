import { describe, expect, test } from "vitest";
import { createEvaluator, type RulesetV1 } from "../src/index.ts";
import { hasSharedData, needsSharedData, sharedJSON } from "./support/shared-data.ts";

type Row = { op: string; target: unknown; value: unknown; core: boolean };

describe.skipIf(!hasSharedData)(`the operators${needsSharedData}`, () => {
  test("agree with the newer SDK generation on all 3,276 combinations of operator, target and value", () => {
    const { rows } = sharedJSON("operator_truth_table.json") as { rows: Row[] };
    expect(rows.length).toBe(3276);
    const wrong = rows.filter((row) => passes(row) !== row.core);
    expect(wrong).toEqual([]);
  });
});

function passes({ op, target, value }: Row): boolean {
  const custom = value === "$missing" ? {} : { f: value === "$a*1001" ? "a".repeat(1001) : value };
  const condition = { type: "user_field", field: "f", operator: op, targetValue: target, idType: "userID" };
  const rule = { name: "r", id: "r", passPercentage: 100, conditions: [condition], returnValue: true, idType: "userID" };
  const gate = {
    name: "g",
    type: "feature_gate",
    salt: "s",
    enabled: true,
    defaultValue: false,
    idType: "userID",
    entity: "feature_gate",
    rules: [rule],
  };
  const ruleset: RulesetV1 = { time: 1, feature_gates: [gate], dynamic_configs: [], layer_configs: [] };
  return createEvaluator(ruleset).gate("g", { userID: "u", custom }).value;
}

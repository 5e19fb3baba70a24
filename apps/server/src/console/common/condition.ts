import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../errors.ts";

type Condition = Schema<"Condition">;
type Operator = NonNullable<Condition["operator"]>;
type Operand = "list" | "string" | "number" | "nothing";

const OPERAND = {
  any: "list",
  none: "list",
  any_case_sensitive: "list",
  none_case_sensitive: "list",
  str_contains_any: "list",
  str_contains_none: "list",
  str_starts_with_any: "list",
  str_ends_with_any: "list",
  str_matches: "string",
  gt: "number",
  gte: "number",
  lt: "number",
  lte: "number",
  eq: "number",
  neq: "number",
  version_gt: "string",
  version_gte: "string",
  version_lt: "string",
  version_lte: "string",
  version_eq: "string",
  version_neq: "string",
  before: "number",
  after: "number",
  on: "number",
  is_null: "nothing",
  is_not_null: "nothing",
  encoded_any: "list",
  array_contains_any: "list",
  array_contains_none: "list",
  array_contains_all: "list",
  not_array_contains_all: "list",
  in_segment_list: "string",
  not_in_segment_list: "string",
} satisfies Record<Operator, Operand>;

/** Types that take no operator, and what they test. */
const WITHOUT_OPERATOR: Partial<Record<Condition["type"], Operand>> = {
  public: "nothing",
  passes_gate: "string",
  fails_gate: "string",
  passes_segment: "string",
  fails_segment: "string",
};

const OPERAND_TEXT = {
  list: "must be a list",
  string: "must be one string",
  number: "must be a number",
  nothing: "must be left out",
} satisfies Record<Operand, string>;

/** What a condition's type and operator demand beyond its shape. `place` is the condition's path, such as `rules[0].conditions[1]`. */
export function checkCondition(condition: Condition, place: string, violations: Violation[]): void {
  const { type, operator, field, customID } = condition;
  const refuse = (property: string, errorMessage: string) => violations.push({ property: `${place}.${property}`, errorMessage });
  const implied = WITHOUT_OPERATOR[type];
  if (implied && operator) refuse("operator", `must be left out with type ${type}`);
  // An environment_tier condition without an operator means any, with one environment or a list of them.
  if (!implied && !operator && type !== "environment_tier") refuse("operator", `is required with type ${type}`);
  if (type === "custom_field" && !field) refuse("field", "is required with type custom_field");
  if (type === "unit_id" && !customID) refuse("customID", "is required with type unit_id");
  const operand = implied ?? (operator && OPERAND[operator]);
  if (operand && operandOf(condition.targetValue) !== operand) {
    refuse("targetValue", `${OPERAND_TEXT[operand]} with ${implied ? `type ${type}` : `operator ${operator}`}`);
  }
}

function operandOf(value: Condition["targetValue"]): Operand {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "string" : "number";
}

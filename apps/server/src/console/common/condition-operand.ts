import type { Schema } from "@gatehouse/contract/console";

type Condition = Schema<"Condition">;
export type Operator = Exclude<Condition["operator"], "" | null | undefined>;
/** The kind of target value that a condition's type and operator take. */
export type Operand = "list" | "string" | "number" | "nothing";
type Tested = Pick<Condition, "type" | "operator" | "targetValue">;

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

/** The types that take no operator, with the kind of their target value. */
const WITHOUT_OPERATOR: Partial<Record<Condition["type"], Operand>> = {
  public: "nothing",
  passes_gate: "string",
  fails_gate: "string",
  passes_segment: "string",
  fails_segment: "string",
};

/** A decimal number in the syntax of `Number`. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The operator. Undefined if it is empty or missing. */
export function effectiveOperator({ operator }: Pick<Condition, "operator">): Operator | undefined {
  return operator || undefined;
}

export function isVersionOperator(operator: Operator | undefined): boolean {
  return operator?.startsWith("version_") ?? false;
}

/** The kind of target value of a type that takes no operator. Undefined for other types. */
export function operandWithoutOperator(type: Condition["type"]): Operand | undefined {
  return WITHOUT_OPERATOR[type];
}

/** The kind of target value that the condition takes. Undefined if that depends on the operator and the condition has none. */
export function operandFor(condition: Tested): Operand | undefined {
  const operator = effectiveOperator(condition);
  return operandWithoutOperator(condition.type) ?? (operator && OPERAND[operator]);
}

/**
 * The target value, converted to the kind that the condition takes: a list of a single value, the item of a list of one, or the number that
 * a text contains. For a version, the text of a number; for an empty list, undefined. Other values are returned as given.
 */
export function convertTarget(condition: Tested): Exclude<Condition["targetValue"], null> {
  const operand = operandFor(condition);
  const given = condition.targetValue ?? undefined;
  if (given === undefined || operand === undefined) return given;
  if (operand === "list") return [given].flat();
  if (operand === "nothing") return Array.isArray(given) && given.length === 0 ? undefined : given;
  if (Array.isArray(given) && given.length !== 1) return given;
  const [only] = [given].flat() as [string | number];
  if (isVersionOperator(effectiveOperator(condition))) return String(only);
  const isNumber = operand === "number" && typeof only === "string" && DECIMAL.test(only) && Number.isFinite(Number(only));
  return isNumber ? Number(only) : only;
}

import { type Condition, condition } from "./flags.ts";

/** A condition of a rule. It matches users with one of the values. */
export type Clause = { attribute?: string; op: string; values?: unknown[]; negate?: boolean; contextKind?: string };

/** Operators, as they are and negated. */
const OPERATORS: { [op: string]: [string, string | undefined] } = {
  in: ["any_case_sensitive", "none_case_sensitive"],
  startsWith: ["str_starts_with_any", undefined],
  endsWith: ["str_ends_with_any", undefined],
  contains: ["str_contains_any", "str_contains_none"],
  matches: ["str_matches", undefined],
  lessThan: ["lt", "gte"],
  lessThanOrEqual: ["lte", "gt"],
  greaterThan: ["gt", "lte"],
  greaterThanOrEqual: ["gte", "lt"],
  semVerEqual: ["version_eq", "version_neq"],
  semVerLessThan: ["version_lt", "version_gte"],
  semVerGreaterThan: ["version_gt", "version_lte"],
  segmentMatch: ["passes_segment", "fails_segment"],
};

/** Undefined if a clause cannot be expressed. */
export function toCondition({ attribute = "", op, values = [], negate = false, contextKind = "user" }: Clause): Condition | undefined {
  const operator = OPERATORS[op]?.[negate ? 1 : 0];
  if (operator === undefined || contextKind !== "user") return undefined;
  if (op === "segmentMatch") return values.length === 1 ? { type: operator, targetValue: String(values[0]) } : undefined;
  const takesOne = /^(lt|lte|gt|gte|version|str_matches)/.test(operator);
  if (takesOne) return values.length === 1 ? condition(attribute, operator, values[0]) : undefined;
  return condition(attribute, operator, values.map(String));
}

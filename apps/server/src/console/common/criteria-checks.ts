import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";

type Criterion = Schema<"MetricCriterion">;

/** How many values each condition compares with: none, exactly one, or at least one. */
const VALUES: Record<Criterion["condition"], "none" | "one" | "some"> = {
  in: "some",
  not_in: "some",
  contains: "some",
  not_contains: "some",
  starts_with: "some",
  ends_with: "some",
  "=": "one",
  ">": "one",
  "<": "one",
  ">=": "one",
  "<=": "one",
  is_null: "none",
  non_null: "none",
  is_true: "none",
  is_false: "none",
};

const OF_NUMBERS: readonly Criterion["condition"][] = [">", "<", ">=", "<="];

/** Checks the criteria at `place`. */
export function checkCriteria(criteria: readonly Criterion[] | undefined, place: string, violations: Violation[]): void {
  for (const [index, criterion] of (criteria ?? []).entries()) checkCriterion(criterion, `${place}[${index}]`, violations);
}

/** Checks the criterion at `place`. */
export function checkCriterion({ type, column, condition, values = [] }: Criterion, place: string, violations: Violation[]): void {
  const refuse = (property: string, errorMessage: string) => violations.push({ property: `${place}.${property}`, errorMessage });
  if (type === "value" && column !== undefined) refuse("column", "must be left out with type value");
  if (type !== "value" && column === undefined) refuse("column", `is required with type ${type}`);
  const count = VALUES[condition];
  if (count === "none" && values.length > 0) refuse("values", `must be left out with the condition ${condition}`);
  if (count === "one" && values.length !== 1) refuse("values", `must have one value with the condition ${condition}`);
  if (count === "some" && values.length === 0) refuse("values", `must have a value with the condition ${condition}`);
  if (OF_NUMBERS.includes(condition) && values.length === 1 && !isNumber(values[0] as string)) {
    refuse("values[0]", `must be a number with the condition ${condition}`);
  }
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
}

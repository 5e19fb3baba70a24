// Conditions that events and rows have to meet, in words. Pure.
import type { Schema } from "../api.ts";
import type { CriterionDraft } from "./criteria-draft.ts";

export type Criterion = Schema<"MetricCriterion">;

export const CRITERION_TYPES: Record<Criterion["type"], string> = {
  value: "Its value",
  metadata: "Metadata",
  user: "User field",
  user_custom: "Custom field",
};

export const CONDITIONS: Record<Criterion["condition"], { label: string; takes: "one" | "some" | "none" }> = {
  in: { label: "is any of", takes: "some" },
  not_in: { label: "is none of", takes: "some" },
  "=": { label: "equals", takes: "one" },
  ">": { label: "is more than", takes: "one" },
  "<": { label: "is less than", takes: "one" },
  ">=": { label: "is at least", takes: "one" },
  "<=": { label: "is at most", takes: "one" },
  is_null: { label: "is missing", takes: "none" },
  non_null: { label: "is there", takes: "none" },
  contains: { label: "contains any of", takes: "some" },
  not_contains: { label: "contains none of", takes: "some" },
  starts_with: { label: "starts with any of", takes: "some" },
  ends_with: { label: "ends with any of", takes: "some" },
  is_true: { label: "is true", takes: "none" },
  is_false: { label: "is false", takes: "none" },
};

const PLACES: Readonly<Record<CriterionDraft["type"], (column: string) => string>> = {
  value: (column) => (column === "" ? "its value" : `its value (${column})`),
  metadata: (column) => column,
  user: (column) => `the user’s ${column}`,
  user_custom: (column) => `the user’s custom ${column}`,
};

/** A condition in words: “country is any of NO, SE”. */
export function criterionText({ type, column, condition, values }: CriterionDraft): string {
  const { label, takes } = CONDITIONS[condition];
  const compared = takes === "none" ? "" : ` ${values.map((one) => (one === "" ? "an empty text" : one)).join(", ")}`;
  return `${PLACES[type](column)} ${label}${compared}`;
}

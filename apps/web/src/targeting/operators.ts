import type { Operator } from "./types.ts";

/**
 * The input for the value of a condition. `list` takes texts, and the inputs that name things take their names or ids. `gate`, `segment` and
 * `segment-list` (a segment that is a list of ids) take one, the others a list. `time` and `day` are ms since the epoch.
 */
export type ValueInput =
  | "none"
  | "list"
  | "text"
  | "number"
  | "version"
  | "time"
  | "day"
  | "gate"
  | "segment"
  | "segment-list"
  | "countries"
  | "environments"
  | "target-apps"
  | "experiment-groups";

/** The kinds of values that operators compare. Long menus of operators have a section for each. */
type OperatorKind = "text" | "number" | "version" | "date" | "list" | "presence" | "segment";

type OperatorEntry = { label: string; kind: OperatorKind; input: ValueInput };

/** Every operator of the contract, in the order of menus. */
export const OPERATORS: Readonly<Record<Operator, OperatorEntry>> = {
  any: { label: "is any of", kind: "text", input: "list" },
  none: { label: "is none of", kind: "text", input: "list" },
  any_case_sensitive: { label: "is any of (case-sensitive)", kind: "text", input: "list" },
  none_case_sensitive: { label: "isn’t any of (case-sensitive)", kind: "text", input: "list" },
  str_contains_any: { label: "contains any of", kind: "text", input: "list" },
  str_contains_none: { label: "contains none of", kind: "text", input: "list" },
  str_starts_with_any: { label: "starts with any of", kind: "text", input: "list" },
  str_ends_with_any: { label: "ends with any of", kind: "text", input: "list" },
  str_matches: { label: "matches the pattern", kind: "text", input: "text" },
  encoded_any: { label: "is any of (encoded)", kind: "text", input: "list" },
  eq: { label: "equals", kind: "number", input: "number" },
  neq: { label: "does not equal", kind: "number", input: "number" },
  gt: { label: "is greater than", kind: "number", input: "number" },
  gte: { label: "is at least", kind: "number", input: "number" },
  lt: { label: "is less than", kind: "number", input: "number" },
  lte: { label: "is at most", kind: "number", input: "number" },
  version_eq: { label: "is", kind: "version", input: "version" },
  version_neq: { label: "is not", kind: "version", input: "version" },
  version_gt: { label: "is later than", kind: "version", input: "version" },
  version_gte: { label: "is at least", kind: "version", input: "version" },
  version_lt: { label: "is earlier than", kind: "version", input: "version" },
  version_lte: { label: "is at most", kind: "version", input: "version" },
  before: { label: "is before", kind: "date", input: "time" },
  after: { label: "is after", kind: "date", input: "time" },
  on: { label: "is on the day", kind: "date", input: "day" },
  array_contains_any: { label: "has any of", kind: "list", input: "list" },
  array_contains_all: { label: "has all of", kind: "list", input: "list" },
  array_contains_none: { label: "has none of", kind: "list", input: "list" },
  not_array_contains_all: { label: "lacks at least one of", kind: "list", input: "list" },
  in_segment_list: { label: "is in the list", kind: "segment", input: "segment-list" },
  not_in_segment_list: { label: "is not in the list", kind: "segment", input: "segment-list" },
  is_not_null: { label: "is set", kind: "presence", input: "none" },
  is_null: { label: "is missing", kind: "presence", input: "none" },
} satisfies Record<Operator, OperatorEntry>;

/** The operators that compare whole values with those of a list. */
export const MEMBERSHIP = ["any", "none", "any_case_sensitive", "none_case_sensitive"] as const satisfies readonly Operator[];

const IN_ANY_CASE = ["any", "none"] as const satisfies readonly Operator[];
const PRESENCE = ["is_not_null", "is_null"] as const satisfies readonly Operator[];
const PARTS = [
  "str_contains_any",
  "str_contains_none",
  "str_starts_with_any",
  "str_ends_with_any",
  "str_matches",
] as const satisfies readonly Operator[];
const NUMBERS = ["eq", "neq", "gt", "gte", "lt", "lte"] as const satisfies readonly Operator[];
const VERSIONS = [
  "version_eq",
  "version_neq",
  "version_gt",
  "version_gte",
  "version_lt",
  "version_lte",
] as const satisfies readonly Operator[];
const DATES = ["before", "after", "on"] as const satisfies readonly Operator[];
const LISTS = [
  "array_contains_any",
  "array_contains_all",
  "array_contains_none",
  "not_array_contains_all",
] as const satisfies readonly Operator[];

/**
 * The operators that make sense for a kind of value, in the order of menus. No application knows `encoded_any`, and `in_segment_list` finds no list
 * that is so short that rulesets contain its ids: the type `passes_segment` does the same for every list.
 */
export const OPERATORS_OF = {
  nothing: [],
  text: [...MEMBERSHIP, ...PARTS, ...PRESENCE],
  name: [...IN_ANY_CASE, ...PARTS, ...PRESENCE],
  code: [...IN_ANY_CASE, ...PRESENCE],
  version: [...VERSIONS, ...IN_ANY_CASE, "str_starts_with_any", ...PRESENCE],
  time: DATES,
  tier: IN_ANY_CASE,
  app: MEMBERSHIP,
  group: [...MEMBERSHIP, ...PRESENCE],
  everything: [...MEMBERSHIP, ...PARTS, ...NUMBERS, ...VERSIONS, ...DATES, ...LISTS, ...PRESENCE],
} as const satisfies Record<string, readonly Operator[]>;

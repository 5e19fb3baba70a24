import { compareArrays } from "./arrays.ts";
import type { Comparison } from "./comparison.ts";
import { equals } from "./equality.ts";
import { compareNumbers } from "./numbers.ts";
import { matches } from "./patterns.ts";
import { hasAnyPart, isOneOf } from "./strings.ts";
import { compareTimes } from "./times.ts";
import { compareVersions } from "./versions.ts";

/** Compiles an operator and its target. Undefined for an unknown operator. */
export function compileOperator(operator: string | null | undefined, target: unknown): Comparison | undefined {
  switch (operator) {
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return compareNumbers(operator, target);
    case "version_gt":
    case "version_gte":
    case "version_lt":
    case "version_lte":
    case "version_eq":
    case "version_neq":
      return compareVersions(operator, target);
    case "any":
      return isOneOf(target, { caseSensitive: false });
    case "none":
      return not(isOneOf(target, { caseSensitive: false }));
    case "any_case_sensitive":
      return isOneOf(target, { caseSensitive: true });
    case "none_case_sensitive":
      return not(isOneOf(target, { caseSensitive: true }));
    case "str_starts_with_any":
    case "str_ends_with_any":
    case "str_contains_any":
      return hasAnyPart(operator, target);
    case "str_contains_none":
      return not(hasAnyPart("str_contains_any", target));
    case "str_matches":
      return matches(target);
    case "eq":
      return equals(target);
    case "neq":
      return not(equals(target));
    case "before":
    case "after":
    case "on":
      return compareTimes(operator, target);
    case "array_contains_any":
    case "array_contains_none":
    case "array_contains_all":
    case "not_array_contains_all":
      return compareArrays(operator, target);
    default:
      return undefined;
  }
}

function not(test: Comparison): Comparison {
  return (value) => !test(value);
}

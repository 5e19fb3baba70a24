import { text } from "../value.ts";
import type { Comparison } from "./comparison.ts";
import { listed } from "./strings.ts";

/** Compares two arrays by the texts of their items. A value that is not an array never matches. */
export function compareArrays(
  operator: "array_contains_any" | "array_contains_none" | "array_contains_all" | "not_array_contains_all",
  target: unknown,
): Comparison {
  if (!Array.isArray(target)) return () => false;
  const targets = new Set<string | undefined>(listed(target));
  switch (operator) {
    case "array_contains_any":
      return (value) => Array.isArray(value) && containsAny(value, targets);
    case "array_contains_none":
      return (value) => Array.isArray(value) && !containsAny(value, targets);
    case "array_contains_all":
      return (value) => Array.isArray(value) && containsAll(value, targets);
    case "not_array_contains_all":
      return (value) => Array.isArray(value) && !containsAll(value, targets);
  }
}

function containsAny(values: unknown[], targets: ReadonlySet<string | undefined>): boolean {
  for (const value of values) if (targets.has(text(value))) return true;
  return false;
}

function containsAll(values: unknown[], targets: ReadonlySet<string | undefined>): boolean {
  const texts = new Set(values.map(text));
  for (const target of targets) if (!texts.has(target)) return false;
  return true;
}

import { text } from "../value.ts";
import { listed } from "./strings.ts";
import type { Test } from "./test.ts";

const OUTCOMES = {
  array_contains_any: (values: Set<string>, targets: string[]) => targets.some((item) => values.has(item)),
  array_contains_none: (values: Set<string>, targets: string[]) => !targets.some((item) => values.has(item)),
  array_contains_all: (values: Set<string>, targets: string[]) => targets.every((item) => values.has(item)),
  not_array_contains_all: (values: Set<string>, targets: string[]) => !targets.every((item) => values.has(item)),
};

/** Compares two arrays by the texts of their items. What is no array fulfils nothing. */
export function compareArrays(operator: keyof typeof OUTCOMES, target: unknown): Test {
  if (!Array.isArray(target)) return () => false;
  const targets = listed(target);
  const holds = OUTCOMES[operator];
  return (value) => Array.isArray(value) && holds(new Set(value.map((item) => text(item) ?? "")), targets);
}

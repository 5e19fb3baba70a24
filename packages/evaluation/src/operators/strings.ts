import { isObject, text } from "../value.ts";
import type { Comparison } from "./comparison.ts";

/** Whether the text is one of the targets; of an object's, the keys. In lower case unless case counts. Absent values are empty text. */
export function isOneOf(target: unknown, options: { caseSensitive: boolean }): Comparison {
  if (options.caseSensitive) {
    const targets = new Set(listed(target));
    return (value) => targets.has(text(value) ?? "");
  }
  const targets = new Set(isObject(target) ? Object.keys(target) : listed(target).map((item) => item.toLowerCase()));
  return (value) => targets.has((text(value) ?? "").toLowerCase());
}

const RELATIONS = {
  str_starts_with_any: (whole: string, part: string) => whole.startsWith(part),
  str_ends_with_any: (whole: string, part: string) => whole.endsWith(part),
  str_contains_any: (whole: string, part: string) => whole.includes(part),
};

/** Whether one of the targets is the text's beginning, end or part, whatever their case. */
export function hasAnyPart(operator: keyof typeof RELATIONS, target: unknown): Comparison {
  const parts = listed(target).map((item) => item.toLowerCase());
  const relation = RELATIONS[operator];
  return (value) => {
    const whole = (text(value) ?? "").toLowerCase();
    for (const part of parts) if (relation(whole, part)) return true;
    return false;
  };
}

/** The texts of a target that is an array; none for any other. Of those that differ by nothing but case, SDKs keep the last. */
export function listed(target: unknown): string[] {
  if (!Array.isArray(target)) return [];
  const texts = target.map((item) => (typeof item === "string" ? item : (JSON.stringify(item) ?? "")));
  return [...new Map(texts.map((item) => [item.toLowerCase(), item])).values()];
}

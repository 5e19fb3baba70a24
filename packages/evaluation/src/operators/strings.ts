import { isObject, text } from "../value.ts";
import type { Comparison } from "./comparison.ts";

/** Whether a text is one of the targets; those of an object are its keys. Ignores case by default. Absent values count as empty text. */
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

/** Whether a text starts with, ends with or contains one of the targets, ignoring case. */
export function hasAnyPart(operator: keyof typeof RELATIONS, target: unknown): Comparison {
  const parts = listed(target).map((item) => item.toLowerCase());
  const relation = RELATIONS[operator];
  return (value) => {
    const whole = (text(value) ?? "").toLowerCase();
    for (const part of parts) if (relation(whole, part)) return true;
    return false;
  };
}

/** The texts of an array; none for other targets. Of texts that differ only in case, SDKs keep the last. */
export function listed(target: unknown): string[] {
  if (!Array.isArray(target)) return [];
  const texts = target.map((item) => (typeof item === "string" ? item : (JSON.stringify(item) ?? "")));
  return [...new Map(texts.map((item) => [item.toLowerCase(), item])).values()];
}

import { isObject, number, text } from "../value.ts";
import type { Comparison } from "./comparison.ts";
import { listed } from "./strings.ts";

/** Compares values as the target's type: as numbers, as texts, or item by item. Only absent values equal null. */
export function equals(target: unknown): Comparison {
  if (target === null || target === undefined) return (value) => value === null || value === undefined;
  if (typeof target === "number") return (value) => number(value) === target;
  if (typeof target === "string") return (value) => text(value) === target;
  if (Array.isArray(target)) return equalsArray(listed(target));
  if (isObject(target)) return equalsObject(target);
  return (value) => value === target;
}

function equalsArray(targets: string[]): Comparison {
  return (value) =>
    Array.isArray(value) && value.length === targets.length && targets.every((target, index) => text(value[index]) === target);
}

function equalsObject(target: Record<string, unknown>): Comparison {
  const entries = Object.entries(target);
  return (value) =>
    isObject(value) &&
    Object.keys(value).length === entries.length &&
    entries.every(([name, item]) => Object.hasOwn(value, name) && text(value[name]) === text(item));
}

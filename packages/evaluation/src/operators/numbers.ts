import { number } from "../value.ts";
import type { Comparison } from "./comparison.ts";

const COMPARISONS = {
  gt: (left: number, right: number) => left > right,
  gte: (left: number, right: number) => left >= right,
  lt: (left: number, right: number) => left < right,
  lte: (left: number, right: number) => left <= right,
};

/** Compares values as numbers. A value that is not a number never matches. */
export function compareNumbers(operator: keyof typeof COMPARISONS, target: unknown): Comparison {
  const right = number(target);
  if (right === undefined) return () => false;
  const holds = COMPARISONS[operator];
  return (value) => {
    const left = number(value);
    return left !== undefined && holds(left, right);
  };
}

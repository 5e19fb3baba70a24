import { text } from "../value.ts";
import type { Test } from "./test.ts";

const OUTCOMES = {
  version_gt: (order: number) => order > 0,
  version_gte: (order: number) => order >= 0,
  version_lt: (order: number) => order < 0,
  version_lte: (order: number) => order <= 0,
  version_eq: (order: number) => order === 0,
  version_neq: (order: number) => order !== 0,
};

/** Part by part as numbers, missing parts as 0, what follows a hyphen left out. What is no version fulfils nothing, not even `version_neq`. */
export function compareVersions(operator: keyof typeof OUTCOMES, target: unknown): Test {
  const right = version(target);
  if (right === undefined) return () => false;
  const holds = OUTCOMES[operator];
  return (value) => {
    const left = version(value);
    return left !== undefined && holds(order(left, right));
  };
}

function version(value: unknown): number[] | undefined {
  const parts = text(value)?.split("-", 1)[0]?.split(".").map(Number);
  return parts?.some(Number.isNaN) ? undefined : parts;
}

function order(left: number[], right: number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

import { text } from "../value.ts";
import type { Comparison } from "./comparison.ts";

/** All are false for NaN. */
const OUTCOMES = {
  version_gt: (order: number) => order > 0,
  version_gte: (order: number) => order >= 0,
  version_lt: (order: number) => order < 0,
  version_lte: (order: number) => order <= 0,
  version_eq: (order: number) => order === 0,
  version_neq: (order: number) => order < 0 || order > 0,
};

/**
 * Compares versions part by part as integers. Missing parts are 0, and everything after a hyphen is ignored. If a part that is not a number
 * is reached, every operator is false, even `version_neq`.
 */
export function compareVersions(operator: keyof typeof OUTCOMES, target: unknown): Comparison {
  if (typeof target !== "string") return () => false;
  const parts = withoutExtension(target)
    .split(".")
    .map((part) => wholeNumber(part, 0, part.length));
  const holds = OUTCOMES[operator];
  return (value) => {
    const version = text(value);
    return version !== undefined && holds(order(withoutExtension(version), parts));
  };
}

function withoutExtension(version: string): string {
  const hyphen = version.indexOf("-");
  return hyphen === -1 ? version : version.slice(0, hyphen);
}

/** The first difference that is not 0; NaN if a part is not a number. Reads the version in place, without copying parts. */
function order(version: string, parts: readonly number[]): number {
  for (let index = 0, start = 0; start <= version.length || index < parts.length; index++) {
    const dot = version.indexOf(".", start);
    const end = dot === -1 ? version.length : dot;
    const part = start > version.length ? 0 : wholeNumber(version, start, end);
    const difference = part - (parts[index] ?? 0);
    if (difference !== 0) return difference;
    start = end + 1;
  }
  return 0;
}

/** SDKs keep a part in 128 bits. */
const MAX_PART = 2 ** 127;
const PADDED = /^\s*\+?\d+\s*$/;
const DIGIT_ZERO = 48;

function wholeNumber(version: string, start: number, end: number): number {
  let number = 0;
  for (let index = start; index < end; index++) {
    const digit = version.charCodeAt(index) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) {
      const part = version.slice(start, end);
      return PADDED.test(part) ? inRange(Number(part)) : Number.NaN;
    }
    number = number * 10 + digit;
  }
  return start === end ? Number.NaN : inRange(number);
}

function inRange(part: number): number {
  return part < MAX_PART ? part : Number.NaN;
}

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { CrossMoments, Maybe, Moments, PairMoments } from "../src/index.ts";

export type Case = { id: string; method: string; input: any; expected: any; tolerance: number };
type Reference = { cases: Case[]; distributions: Record<string, number[][]> };

/** Made by generate-reference.py with numpy, scipy, statsmodels and mpmath. */
export const reference: Reference = JSON.parse(readFileSync(new URL("reference.json", import.meta.url), "utf8"));

export const findCases = (method: string): Case[] => reference.cases.filter((one) => one.method === method);

/** Fails unless the numbers are as close as the tolerance says, which is relative. Structures are compared number by number. */
export function expectClose(actual: unknown, expected: unknown, tolerance: number, place = ""): void {
  if (typeof expected === "number") {
    const distance = Math.abs((actual as number) - expected);
    const isClose = distance <= tolerance * Math.max(Math.abs(expected), 1e-6);
    expect(isClose, `${place}: ${actual} is not ${expected}`).toBe(true);
  } else if (expected === null || typeof expected !== "object") {
    expect(actual, place).toEqual(expected);
  } else {
    for (const [key, value] of Object.entries(expected)) {
      expectClose((actual as Record<string, unknown>)?.[key], value, tolerance, `${place}.${key}`);
    }
  }
}

/** The value, which must exist. */
export function present<T>(maybe: Maybe<T>): T {
  if (maybe.value === undefined) throw new Error(`There is no value: ${maybe.reason}.`);
  return maybe.value;
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const product = (a: readonly number[], b: readonly number[]) => total(a.map((value, index) => value * (b[index] ?? 0)));

export const computeMoments = (values: readonly number[]): Moments => ({
  n: values.length,
  sum: total(values),
  sumSquares: product(values, values),
});

export const computePairMoments = (y: readonly number[], x: readonly number[]): PairMoments => ({
  n: y.length,
  sumY: total(y),
  sumX: total(x),
  sumSquaresY: product(y, y),
  sumSquaresX: product(x, x),
  sumProducts: product(y, x),
});

export const computeCrossMoments = (...values: readonly (readonly number[])[]): CrossMoments => ({
  n: values[0]?.length ?? 0,
  sums: values.map(total),
  products: values.map((a) => values.map((b) => product(a, b))),
});

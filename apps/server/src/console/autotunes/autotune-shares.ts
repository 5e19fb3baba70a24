import { BUCKETS } from "../experiments/allocation.ts";
import type { Autotune } from "./autotune.ts";

/** How many of the 1000 buckets a variant has. */
type Share = { id: string; buckets: number };

/** The shares of traffic that a running autotune's variants got last. Their own versions move rulesets, and the autotune's do not change. */
export type AutotuneWeights = {
  version: number;
  createdTime: number;
  /** The start of the run that they belong to, ms: shares of an earlier run no longer count. */
  startTime: number;
  shares: Share[];
};

/** Before the first weights. */
export const NO_WEIGHTS: AutotuneWeights = { version: 0, createdTime: 0, startTime: 0, shares: [] };

type Run = Pick<Autotune, "variants" | "winner" | "startTime">;

/** The shares of a started autotune's variants, in their order: equal ones before the first weights, and all for the winner. */
export function computeShares({ variants, winner, startTime }: Run, weights: AutotuneWeights | undefined): Share[] {
  if (winner !== null) return variants.map(({ id }) => ({ id, buckets: id === winner.id ? BUCKETS : 0 }));
  if (weights && weights.startTime === startTime) return weights.shares;
  return toShares(variants.map(({ id }) => ({ id, share: 1 / variants.length })));
}

/** Shares that sum to 1, in whole buckets. Each is less than a bucket away from its share, and their sum is exact. */
export function toShares(given: readonly { id: string; share: number }[]): Share[] {
  let sum = 0;
  let before = 0;
  return given.map(({ id, share }, index) => {
    sum += share;
    const bound = index === given.length - 1 ? BUCKETS : Math.min(BUCKETS, Math.round(sum * BUCKETS));
    const buckets = bound - before;
    before = bound;
    return { id, buckets };
  });
}

/** Whether the variants get the same traffic. */
export function areEqual(one: readonly Share[], other: readonly Share[]): boolean {
  return one.length === other.length && one.every(({ id, buckets }, index) => id === other[index]?.id && buckets === other[index]?.buckets);
}

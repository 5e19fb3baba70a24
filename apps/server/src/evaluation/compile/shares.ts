import { BUCKETS } from "../../console/experiments/allocation.ts";

/**
 * The bucket below which each of the shares ends, when they stand one after another. The last is the end of all, however the shares
 * were rounded.
 * @param shares percentages, 0–100, that sum to 100
 */
export function toBounds(shares: readonly number[]): number[] {
  let sum = 0;
  const bounds = shares.map((share) => {
    sum += share;
    return Math.round(sum * 1000) / 100;
  });
  return bounds.map((bound) => (BUCKETS - bound < 0.1 ? BUCKETS : bound));
}

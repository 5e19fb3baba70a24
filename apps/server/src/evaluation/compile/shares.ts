import { BUCKETS } from "../../console/experiments/allocation.ts";

/**
 * The upper bounds, in buckets, of consecutive shares. The last bound is the number of buckets, however the shares are rounded.
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

import { hash } from "node:crypto";
import { enumerate } from "../common/enumerate.ts";

/** How many buckets a layer has; a unit is in one of them. */
export const BUCKETS = 1000;

/** The buckets that an experiment holds, in the order in which it took them. */
export type Holding = { id: string; buckets: number[] };

/** The number of buckets that an allocation, in percent, is. */
export function bucketCount(allocation: number): number {
  return Math.round((allocation * BUCKETS) / 100);
}

/**
 * The buckets that an experiment holds from now on. Growing keeps each one that it holds and adds free ones; shrinking frees those that it
 * took last. Free ones are taken in an order that belongs to the salt, so that experiments which follow each other do not get the same units.
 * @param others what the other experiments of the layer hold
 * @returns undefined if too few are free
 */
export function allocate(held: number[], wanted: number, others: Holding[], salt: string): number[] | undefined {
  if (wanted <= held.length) return held.slice(0, wanted);
  const taken = new Set([...held, ...others.flatMap(({ buckets }) => buckets)]);
  const added = orderOf(salt)
    .filter((bucket) => !taken.has(bucket))
    .slice(0, wanted - held.length);
  const buckets = [...held, ...added];
  return buckets.length === wanted ? buckets : undefined;
}

/** What to tell of a layer with too few free buckets: how many are free and wanted, and who holds the others. */
export function shortage(layerID: string, { id, buckets }: Holding, wanted: number, others: Holding[]): string {
  const holders = others.filter((other) => other.buckets.length > 0).sort((a, b) => b.buckets.length - a.buckets.length);
  const free = BUCKETS - buckets.length - holders.reduce((sum, other) => sum + other.buckets.length, 0);
  const named = enumerate(holders.map((other) => `${other.id} (${other.buckets.length})`));
  const needed = buckets.length > 0 ? `${wanted - buckets.length} more than the ${buckets.length} that it holds` : `${wanted}`;
  return `Layer ${layerID} has ${free} of its ${BUCKETS} buckets free, but experiment ${id} needs ${needed}. The others are held by ${named}.`;
}

/** All buckets, in an order that nobody foresees who does not know the salt. */
function orderOf(salt: string): number[] {
  return Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket, rank: hash("sha256", `${salt}.${bucket}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ bucket }) => bucket);
}

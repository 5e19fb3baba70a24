import { hash } from "node:crypto";
import { enumerate } from "../common/enumerate.ts";

/** The number of buckets of a layer. Each unit is in one of them. */
export const BUCKETS = 1000;

/** The buckets that an experiment holds, in the order of allocation. */
export type BucketHolder = { id: string; buckets: number[] };

/** The number of buckets of an allocation in percent. */
export function bucketCount(allocation: number): number {
  return Math.round((allocation * BUCKETS) / 100);
}

/**
 * The buckets of an experiment after its allocation changed. Growing keeps its buckets and adds free ones; shrinking frees its latest ones.
 * The salt determines the order of the free buckets, so that consecutive experiments get different units.
 * @param others the other experiments of the layer with their buckets
 * @returns undefined if too few are free
 */
export function allocate(held: number[], wanted: number, others: BucketHolder[], salt: string): number[] | undefined {
  if (wanted <= held.length) return held.slice(0, wanted);
  const taken = new Set([...held, ...others.flatMap(({ buckets }) => buckets)]);
  const added = shuffleBuckets(salt)
    .filter((bucket) => !taken.has(bucket))
    .slice(0, wanted - held.length);
  const buckets = [...held, ...added];
  return buckets.length === wanted ? buckets : undefined;
}

/** The error message for a layer with too few free buckets: how many are free and wanted, and which experiments hold the others. */
export function shortage(layerID: string, { id, buckets }: BucketHolder, wanted: number, others: BucketHolder[]): string {
  const holders = others.filter((other) => other.buckets.length > 0).sort((a, b) => b.buckets.length - a.buckets.length);
  const free = BUCKETS - buckets.length - holders.reduce((sum, other) => sum + other.buckets.length, 0);
  const named = enumerate(holders.map((other) => `${other.id} (${other.buckets.length})`));
  const needed = buckets.length > 0 ? `${wanted - buckets.length} more than the ${buckets.length} that it holds` : `${wanted}`;
  return `Layer ${layerID} has ${free} of its ${BUCKETS} buckets free, but experiment ${id} needs ${needed}. The others are held by ${named}.`;
}

/** All buckets in a pseudo-random order that the salt determines. */
function shuffleBuckets(salt: string): number[] {
  return Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket, rank: hash("sha256", `${salt}.${bucket}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ bucket }) => bucket);
}

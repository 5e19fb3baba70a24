import type { Share } from "../../charts/shares.ts";

type Allocated = { id: string; name: string; userBuckets: readonly number[] };

/** How many buckets a layer has. A running experiment has 10 for each percent of its allocation. */
export const BUCKETS = 1_000;

/** The shares of a layer that experiments have, the largest first. Experiments without buckets have none. */
export const toShares = (experiments: readonly Allocated[]): Share[] =>
  experiments
    .filter(({ userBuckets }) => userBuckets.length > 0)
    .toSorted((one, other) => other.userBuckets.length - one.userBuckets.length)
    .map(({ id, name, userBuckets }) => ({ id, label: name, percent: (100 * userBuckets.length) / BUCKETS }));

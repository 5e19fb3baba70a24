import type { Schema } from "@gatehouse/contract/console";
import { BUCKETS } from "../experiments/allocation.ts";
import type { Autotune } from "./autotune.ts";
import { type AutotuneWeights, sharesOf } from "./autotune-shares.ts";

export type Progress = NonNullable<Schema<"AutotuneProgress">>;

/** What a look found out about a variant. */
export type Learned = Omit<Schema<"AutotuneVariantProgress">, "share">;

/** What the last look of a run found out, and when it was, ms. */
export type Look = { lookTime: number | null; learned: Learned[] };

const NOTHING = { units: 0, outcomes: 0, mean: null, probabilityOfBest: null };

/** The autotune with what was found out about its present run, for answers. */
export function withLook(autotune: Autotune, look: Look | undefined, weights: AutotuneWeights | undefined): Autotune {
  if (!autotune.isStarted) return autotune;
  const learned = new Map(look?.learned.map((one) => [one.id, one]));
  const variants = sharesOf(autotune, weights).map(({ id, buckets }) => ({
    ...NOTHING,
    ...learned.get(id),
    id,
    share: (buckets * 100) / BUCKETS,
  }));
  return { ...autotune, progress: { lookTime: look?.lookTime ?? null, variants } };
}

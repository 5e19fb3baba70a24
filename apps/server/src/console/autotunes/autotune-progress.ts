import type { Schema } from "@gatehouse/contract/console";
import { BUCKETS } from "../experiments/allocation.ts";
import type { Autotune } from "./autotune.ts";
import { type AutotuneWeights, computeShares } from "./autotune-shares.ts";

/** The findings of a check about a variant. */
export type Learned = Omit<Schema<"AutotuneVariantProgress">, "share">;

/** The findings of a run's last check, and its time, ms. */
export type AutotuneCheck = { checkedTime: number | null; learned: Learned[] };

const NOTHING = { units: 0, outcomes: 0, mean: null, probabilityOfBest: null };

/** The autotune with the findings about its present run, for answers. */
export function withAutotuneCheck(autotune: Autotune, check: AutotuneCheck | undefined, weights: AutotuneWeights | undefined): Autotune {
  if (!autotune.isStarted) return autotune;
  const variants = withShares(check?.learned ?? [], computeShares(autotune, weights));
  return { ...autotune, progress: { checkedTime: check?.checkedTime ?? null, variants } };
}

/** The findings about each variant, in the order of the shares, with its share of traffic in percent. */
export function withShares(learned: readonly Learned[], shares: ReturnType<typeof computeShares>): Schema<"AutotuneVariantProgress">[] {
  const found = new Map(learned.map((one) => [one.id, one]));
  return shares.map(({ id, buckets }) => ({ ...NOTHING, ...found.get(id), id, share: (buckets * 100) / BUCKETS }));
}

import type { Schema } from "@gatehouse/contract/console";
import { minimumDetectableEffect } from "@gatehouse/statistics";
import { EVERYONE } from "../sql/arrivals.ts";
import { estimateMean } from "./sum-moments.ts";
import { type DailySums, NOTHING, sumsAsOf } from "./sums.ts";

type PowerDay = Schema<"PowerDay">;

/** An experiment that is planned. Shares are 0–1. */
export type Planned = { share: number; groups: number; alpha: number; power: number; isOneSided: boolean; isRatio: boolean };

/** The smallest effects that an experiment finds which ends after each day. Sources: those of `minimumDetectableEffect`, `estimateMoments` and `ratioOf`. */
export function powerByDay(daily: readonly DailySums[], days: number, planned: Planned): PowerDay[] {
  return Array.from({ length: days }, (_, index) => {
    const sums = sumsAsOf(daily, index + 1)[EVERYONE] ?? NOTHING;
    const units = planned.isRatio ? sums.k : sums.n;
    const unitsPerGroup = (units * planned.share) / planned.groups;
    return { day: index + 1, unitsPerGroup, ...computeEffects(sums, unitsPerGroup, planned) };
  });
}

function computeEffects(
  sums: typeof NOTHING,
  unitsPerGroup: number,
  { isRatio, alpha, power, isOneSided }: Planned,
): Omit<PowerDay, "day" | "unitsPerGroup"> {
  const { value } = estimateMean(sums, isRatio);
  if (!value) return {};
  const standardDeviation = Math.sqrt(value.variance);
  const known = { mean: value.mean, standardDeviation };
  // Units that are all alike say nothing of those to come.
  if (standardDeviation === 0) return known;
  const absoluteEffect =
    standardDeviation * minimumDetectableEffect(unitsPerGroup, { alpha, power, sides: isOneSided ? "greater" : "two" });
  return { ...known, absoluteEffect, ...(value.mean !== 0 && { effect: (absoluteEffect / Math.abs(value.mean)) * 100 }) };
}

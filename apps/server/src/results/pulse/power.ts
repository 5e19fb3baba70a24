import type { Schema } from "@gatehouse/contract/console";
import { minimumDetectableDifference, normalQuantile, type PowerPlan, sequentialThreshold } from "@gatehouse/statistics";
import { EVERYONE } from "../sql/arrivals.ts";
import { estimateMean } from "./sum-moments.ts";
import { type DailySums, NOTHING, sumsAsOf } from "./sums.ts";

type PowerDay = Schema<"PowerDay">;

/** An experiment that is planned. The shares of all units that the control and the smallest test group have, 0–1. */
export type Planned = { shares: { control: number; test: number }; isSequential: boolean; isRatio: boolean } & PowerPlan;

/** The shares of units of the control and of the smallest test group. @param sizes relative to each other, the control's first */
export function sharesOfSizes([control = 1, ...tests]: readonly number[], allocation: number): Planned["shares"] {
  const all = tests.reduce((sum, size) => sum + size, control);
  return { control: (allocation * control) / all, test: (allocation * Math.min(...tests)) / all };
}

/** The smallest effects that an experiment finds which ends after each day. */
export function powerByDay(daily: readonly DailySums[], days: number, planned: Planned): PowerDay[] {
  const { shares, isRatio } = planned;
  return Array.from({ length: days }, (_, index) => {
    const sums = sumsAsOf(daily, index + 1)[EVERYONE] ?? NOTHING;
    const units = isRatio ? sums.k : sums.n;
    const groups = { control: units * shares.control, test: units * shares.test };
    return { day: index + 1, unitsPerGroup: Math.min(groups.control, groups.test), ...computeEffects(sums, groups, planned) };
  });
}

function computeEffects(
  sums: typeof NOTHING,
  units: { control: number; test: number },
  { isRatio, isSequential, alpha, power }: Planned,
): Omit<PowerDay, "day" | "unitsPerGroup"> {
  const { value } = estimateMean(sums, isRatio);
  if (!value) return {};
  const standardDeviation = Math.sqrt(value.variance);
  const known = { mean: value.mean, standardDeviation };
  // Units that are all alike say nothing of those to come.
  if (standardDeviation === 0) return known;
  const standardError = standardDeviation * Math.sqrt(1 / units.control + 1 / units.test);
  const absoluteEffect = minimumDetectableDifference(standardError, { alpha, power });
  const toPercent = (difference: number) => (difference / Math.abs(value.mean)) * 100;
  const relative = value.mean === 0 ? {} : { effect: toPercent(absoluteEffect) };
  if (!isSequential) return { ...known, absoluteEffect, ...relative };
  const [control, test] = [units.control, units.test].map((count) => ({ units: count, variance: value.variance })) as [Group, Group];
  const absoluteSequentialEffect = (sequentialThreshold(control, test, { alpha }) + normalQuantile(power)) * standardError;
  return {
    ...{ ...known, absoluteEffect, absoluteSequentialEffect, ...relative },
    ...(value.mean !== 0 && { sequentialEffect: toPercent(absoluteSequentialEffect) }),
  };
}

type Group = Parameters<typeof sequentialThreshold>[0];

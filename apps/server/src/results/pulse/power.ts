import type { Schema } from "@gatehouse/contract/console";
import { detectableMargin, type Estimate, normalQuantile, type PowerPlan, sequentialThreshold } from "@gatehouse/statistics";
import { EVERYONE } from "../sql/arrivals.ts";
import { estimateMean } from "./sum-moments.ts";
import { type DailySums, NOTHING, sumsAsOf } from "./sums.ts";
import { levelOf, type TestPlan } from "./test-plan.ts";

type PowerDay = Schema<"PowerDay">;

/** An experiment that is planned. The shares of all units that the control and the smallest test group have, 0–1. */
export type Planned = { shares: { control: number; test: number }; isSequential: boolean; isRatio: boolean } & Pick<
  PowerPlan,
  "alpha" | "power"
> & { plan: TestPlan; isDecreaseBetter: boolean };

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
  { isRatio, isSequential, alpha, power, plan, isDecreaseBetter }: Planned,
): Omit<PowerDay, "day" | "unitsPerGroup"> {
  const { value } = estimateMean(sums, isRatio);
  if (!value) return {};
  const { mean, variance } = value;
  const known = { mean, standardDeviation: Math.sqrt(variance) };
  // Units that are all alike do not predict later ones.
  if (variance === 0) return known;
  const groupOf = (count: number): Estimate => ({ mean, variance, units: count, standardError: Math.sqrt(variance / count) });
  const [control, test] = [groupOf(units.control), groupOf(units.test)];
  const level = levelOf(plan, alpha);
  const isMargin = plan.type === "non_inferiority";
  const findEffect = (z: number): number | undefined =>
    isMargin
      ? mean === 0
        ? undefined
        : detectableMargin(control, test, { z, power, isBelow: !isDecreaseBetter === mean > 0, degreesOfFreedom: Number.POSITIVE_INFINITY })
      : (z + normalQuantile(power)) * Math.hypot(control.standardError, test.standardError);
  const toPercent = (difference: number) => (difference / Math.abs(mean)) * 100;
  const fixed = findEffect(-normalQuantile(level / 2));
  const sequential = isSequential ? findEffect(sequentialThreshold(control, test, { alpha: level })) : undefined;
  return {
    ...known,
    ...(fixed !== undefined && { absoluteEffect: fixed, ...(mean !== 0 && { effect: toPercent(fixed) }) }),
    ...(sequential !== undefined && {
      absoluteSequentialEffect: sequential,
      ...(mean !== 0 && { sequentialEffect: toPercent(sequential) }),
    }),
  };
}

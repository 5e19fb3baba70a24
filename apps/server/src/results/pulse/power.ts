import type { Schema } from "@gatehouse/contract/console";
import { detectableMargin, type Estimate, normalQuantile, type PowerPlan, sequentialThreshold } from "@gatehouse/statistics";
import { EVERYONE } from "../sql/arrivals.ts";
import { estimateMean } from "./sum-moments.ts";
import { type DailySums, NOTHING, type Sums, sumsAsOf } from "./sums.ts";
import { levelOf, type TestPlan } from "./test-plan.ts";

type PowerDay = Schema<"PowerDay">;

/** An experiment that is planned: the share of all units in it, and the shares that the control and the smallest test group have, 0–1. */
export type Planned = { allocation: number; shares: { control: number; test: number }; isSequential: boolean; isRatio: boolean } & Pick<
  PowerPlan,
  "alpha" | "power"
> & { plan: TestPlan; isDecreaseBetter: boolean };

/** The mean of a unit and its variance. */
export type UnitValue = { mean: number; variance: number };

/** The shares of units of the control and of the smallest test group. @param sizes relative to each other, the control's first */
export function sharesOfSizes([control = 1, ...tests]: readonly number[], allocation: number): Planned["shares"] {
  const all = tests.reduce((sum, size) => sum + size, control);
  return { control: (allocation * control) / all, test: (allocation * Math.min(...tests)) / all };
}

/** The sums of all units as of the end of each day, from the first day that has units. @param days how many days were read */
export function sumsByDay(daily: readonly DailySums[], days: number): Sums[] {
  const all = Array.from({ length: days }, (_, index) => sumsAsOf(daily, index + 1)[EVERYONE] ?? NOTHING);
  const first = all.findIndex(({ n }) => n > 0);
  return first < 0 ? [] : all.slice(first);
}

/** The value of a unit. Undefined for too few units. */
export function unitValue(sums: Sums | undefined, { isRatio }: Pick<Planned, "isRatio">): UnitValue | undefined {
  return sums && estimateMean(sums, isRatio).value;
}

/** The smallest effects that an experiment finds which ends after a day. @param units all that came by then, in the experiment or not */
export function powerOfDay(day: number, units: number, value: UnitValue | undefined, planned: Planned): PowerDay {
  const { shares } = planned;
  const groups = { control: units * shares.control, test: units * shares.test };
  return { day, unitsPerGroup: Math.min(groups.control, groups.test), ...(value && computeEffects(value, groups, planned)) };
}

function computeEffects(
  { mean, variance }: UnitValue,
  units: { control: number; test: number },
  planned: Planned,
): Omit<PowerDay, "day" | "unitsPerGroup"> {
  const { isSequential, alpha, power, plan } = planned;
  const known = { mean, standardDeviation: Math.sqrt(variance) };
  // Units that are all alike do not predict later ones.
  if (variance === 0) return known;
  const groupOf = (count: number): Estimate => ({ mean, variance, units: count, standardError: Math.sqrt(variance / count) });
  const [control, test] = [groupOf(units.control), groupOf(units.test)];
  const level = levelOf(plan, alpha);
  const findEffect = (z: number): number | undefined =>
    plan.type === "non_inferiority"
      ? mean === 0
        ? undefined
        : detectableMargin(control, test, { z, power, isBelow: isBelow(mean, planned), degreesOfFreedom: Number.POSITIVE_INFINITY })
      : (z + normalQuantile(power)) * Math.hypot(control.standardError, test.standardError);
  const toPercent = (difference: number) => (difference / Math.abs(mean)) * 100;
  // The mean may be as good as 0.
  const isRelative = (difference: number) => Number.isFinite(toPercent(difference));
  const fixed = findEffect(-normalQuantile(level / 2));
  const sequential = isSequential ? findEffect(sequentialThreshold(control, test, { alpha: level })) : undefined;
  return {
    ...known,
    ...(fixed !== undefined && { absoluteEffect: fixed, ...(isRelative(fixed) && { effect: toPercent(fixed) }) }),
    ...(sequential !== undefined && {
      absoluteSequentialEffect: sequential,
      ...(isRelative(sequential) && { sequentialEffect: toPercent(sequential) }),
    }),
  };
}

/** Whether a margin lies below the control mean. */
const isBelow = (mean: number, { isDecreaseBetter }: Planned): boolean => !isDecreaseBetter === mean > 0;

/**
 * How many units have to come, in the experiment or not, until it finds an effect: (q·σ/δ)²·(r²/control + 1/test), with the shares of both groups
 * and q = z(1 − α/2) + z(power). r is 1, and for a margin 1 ∓ δ/|mean| (Kieser, Hauschke 1999).
 * @param percent the effect in percent of the mean, which is not 0
 */
export function unitsNeeded(percent: number, { mean, variance }: UnitValue, planned: Planned): number {
  const { shares, alpha, power, plan } = planned;
  const quantile = normalQuantile(power) - normalQuantile(levelOf(plan, alpha) / 2);
  const relative = percent / 100;
  const ratio = plan.type === "non_inferiority" ? (isBelow(mean, planned) ? Math.max(0, 1 - relative) : 1 + relative) : 1;
  return ((quantile ** 2 * variance) / (relative * mean) ** 2) * (ratio ** 2 / shares.control + 1 / shares.test);
}

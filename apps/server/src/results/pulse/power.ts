import type { Schema } from "@gatehouse/contract/console";
import {
  detectableMargin,
  detectableMarginOfProportions,
  detectableProportions,
  type Estimate,
  normalQuantile,
  type PowerPlan,
  type Proportion,
  sequentialThreshold,
} from "@gatehouse/statistics";
import { EVERYONE } from "../sql/arrivals.ts";
import { isOfZerosAndOnes } from "./estimates.ts";
import { estimateMean } from "./sum-moments.ts";
import { type DailySums, NOTHING, type Sums, sumsAsOf } from "./sums.ts";
import { directionOf, levelOf, type TestPlan } from "./test-plan.ts";

type PowerDay = Schema<"PowerDay">;

/** An experiment that is planned: the share of all units in it, and the shares that the control and the smallest test group have, 0–1. */
export type Planned = { allocation: number; shares: { control: number; test: number }; isSequential: boolean; isRatio: boolean } & Pick<
  PowerPlan,
  "alpha" | "power"
> & { plan: TestPlan; isDecreaseBetter: boolean };

/** The mean of a unit and its variance, and whether units have 0 or 1, so that proportions are compared. */
export type UnitValue = { mean: number; variance: number; isProportion: boolean };

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
  const found = sums && estimateMean(sums, isRatio).value;
  return found && { mean: found.mean, variance: found.variance, isProportion: !isRatio && isOfZerosAndOnes(sums) };
}

/** How far the deviation of a proportion may be from √(p(1 − p)), relative to it. */
const ROUNDING = 0.01;

/** The value of a unit that a request says. It is a proportion if it has the deviation of one. */
export function assumedValue(
  { mean, standardDeviation }: NonNullable<Schema<"PowerRequest">["baseline"]>,
  { isRatio }: Pick<Planned, "isRatio">,
): UnitValue {
  const deviation = Math.sqrt(Math.max(0, mean * (1 - mean)));
  const isProportion = !isRatio && Math.abs(standardDeviation - deviation) <= ROUNDING * deviation;
  return { mean, variance: standardDeviation ** 2, isProportion };
}

/** The smallest effects that an experiment finds which ends after a day. @param units all that came by then, in the experiment or not */
export function powerOfDay(day: number, units: number, value: UnitValue | undefined, planned: Planned): PowerDay {
  const { shares } = planned;
  const groups = { control: units * shares.control, test: units * shares.test };
  return { day, unitsPerGroup: Math.min(groups.control, groups.test), ...(value && computeEffects(value, groups, planned)) };
}

function computeEffects(value: UnitValue, units: Units, planned: Planned): Omit<PowerDay, "day" | "unitsPerGroup"> {
  const { mean, variance } = value;
  const { isSequential, alpha, plan } = planned;
  const known = { mean, standardDeviation: Math.sqrt(variance) };
  // Units that are all alike do not predict later ones.
  if (variance === 0) return known;
  const toPercent = (difference: number) => (difference / Math.abs(mean)) * 100;
  // The mean may be as good as 0.
  const isRelative = (difference: number) => Number.isFinite(toPercent(difference));
  const fixed = findEffect(value, units, planned);
  const [control, test] = [groupOf(value, units.control), groupOf(value, units.test)];
  const sequential = isSequential
    ? findEffect(value, units, planned, sequentialThreshold(control, test, { alpha: levelOf(plan, alpha) }))
    : undefined;
  return {
    ...known,
    ...(fixed !== undefined && { absoluteEffect: fixed, ...(isRelative(fixed) && { effect: toPercent(fixed) }) }),
    ...(sequential !== undefined && {
      absoluteSequentialEffect: sequential,
      ...(isRelative(sequential) && { sequentialEffect: toPercent(sequential) }),
    }),
  };
}

type Units = { control: number; test: number };

const groupOf = ({ mean, variance }: UnitValue, units: number): Estimate => ({
  ...{ mean, variance, units },
  standardError: Math.sqrt(variance / units),
});

/**
 * The smallest difference that the test of so many units finds. That of means is as good as normal, and that of proportions is the score test of
 * results.
 * @param z its critical value, as a normal deviate. Default: the one at a single look
 */
function findEffect(
  value: UnitValue,
  units: Units,
  planned: Planned,
  z = -normalQuantile(levelOf(planned.plan, planned.alpha) / 2),
): number | undefined {
  const { mean, isProportion } = value;
  const { power, plan, isDecreaseBetter } = planned;
  const [control, test] = [groupOf(value, units.control), groupOf(value, units.test)];
  if (plan.type === "non_inferiority") {
    if (mean === 0) return undefined;
    const isBelow = !isDecreaseBetter === mean > 0;
    return isProportion
      ? detectableMarginOfProportions(proportionOf(control), proportionOf(test), { z, power, isBelow })
      : detectableMargin(control, test, { z, power, isBelow, degreesOfFreedom: Number.POSITIVE_INFINITY });
  }
  if (!isProportion) return (z + normalQuantile(power)) * Math.hypot(control.standardError, test.standardError);
  return detectableProportions(proportionOf(control), proportionOf(test), { z, power, direction: directionOf(plan, isDecreaseBetter) });
}

const proportionOf = ({ mean, units }: Estimate): Proportion => ({ units, successes: units * mean });

const STEPS = 100;

/**
 * How many units have to come, in the experiment or not, until it finds an effect: the smallest number, by bisection. Infinite if it is beyond
 * all whole numbers.
 * @param percent the effect in percent of the mean, which is not 0
 */
export function unitsNeeded(percent: number, value: UnitValue, planned: Planned): number {
  const { control, test } = planned.shares;
  const size = (percent / 100) * Math.abs(value.mean);
  const isFound = (all: number) =>
    (findEffect(value, { control: all * control, test: all * test }, planned) ?? Number.POSITIVE_INFINITY) <= size;
  let [low, high] = [0, Math.log(Number.MAX_SAFE_INTEGER)];
  if (!isFound(Math.exp(high))) return Number.POSITIVE_INFINITY;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isFound(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}

import type { Schema } from "@gatehouse/contract/console";
import { type Estimate, type Maybe, sequentialLift } from "@gatehouse/statistics";
import { textOf } from "./reasons.ts";

type Look = Schema<"GuardrailLook">;
type Guard = Pick<Look, "maxHarmPercent"> & { isDecreaseBetter: boolean };

/** The chance that the interval ever misses the true change, however often somebody looks. */
const ALPHA = 0.05;
/** Of each side. The means of fewer are not close enough to normal for the interval. */
const LEAST_UNITS = 100;

/** The units that fail a rule, and those that pass it. */
export type Sides = { failing: Maybe<Estimate>; passing: Maybe<Estimate> };

/** Whether a metric is certain to be worse for units that pass by more than a guardrail allows. */
export function judged(
  { failing, passing }: Sides,
  { maxHarmPercent, isDecreaseBetter }: Guard,
): Omit<Look, "ruleID" | "metricID" | "maxHarmPercent" | "pausesRollouts"> {
  const units = { passingUnits: passing.value?.units ?? 0, failingUnits: failing.value?.units ?? 0 };
  const unknown = (reason: string) => ({ ...units, isBeyond: false, reason });
  if (!failing.value) return unknown(textOf(failing.reason).replace("The group", "The group that fails"));
  if (!passing.value) return unknown(textOf(passing.reason).replace("The group", "The group that passes"));
  if (Math.min(units.passingUnits, units.failingUnits) < LEAST_UNITS)
    return unknown(`Fewer than ${LEAST_UNITS} units pass or fail, which is too few to conclude anything.`);
  const { value: found, reason } = sequentialLift(failing.value, passing.value, { alpha: ALPHA });
  if (!found) return unknown(textOf(reason));
  const [lower, upper] = found.interval.map((bound) => 100 * bound) as [number, number];
  const isBeyond = isDecreaseBetter ? lower > maxHarmPercent : upper < -maxHarmPercent;
  return { ...units, percentChange: 100 * found.lift, percentInterval: [lower, upper], isBeyond };
}

import type { Schema } from "@gatehouse/contract/console";
import { type Estimate, type Maybe, sequentialLift } from "@gatehouse/statistics";
import { reasonText } from "./reasons.ts";

type Guard = { maxHarmPercent: number; isDecreaseBetter: boolean };

/** The chance that the interval ever misses the true change, however often somebody looks. */
const ALPHA = 0.05;
/** Of each side. The means of fewer are not close enough to normal for the interval. */
const LEAST_UNITS = 100;

/** The units that a guardrail protects, and those that they are compared with. */
export type Sides = { control: Maybe<Estimate>; test: Maybe<Estimate> };

/** How the two sides are called where nothing can be concluded. */
export type SideNames = { control: string; test: string; few: string };

/** The sides of a rule. */
export const RULE_SIDES: SideNames = {
  control: "The group that fails",
  test: "The group that passes",
  few: `Fewer than ${LEAST_UNITS} units pass or fail`,
};

/** The sides of an experiment. */
export const GROUP_SIDES: SideNames = {
  control: "The control group",
  test: "The group",
  few: `The group or the control group has fewer than ${LEAST_UNITS} units`,
};

export type GuardrailOutcome = Schema<"GuardrailOutcome"> &
  Pick<Schema<"GuardrailNumbers">, "percentChange" | "percentInterval"> & { testUnits?: number; controlUnits?: number };

/** Whether a metric is certain to be worse for the units of the test by more than a guardrail allows. */
export function compareSides({ control, test }: Sides, { maxHarmPercent, isDecreaseBetter }: Guard, names: SideNames): GuardrailOutcome {
  const units = { testUnits: test.value?.units ?? 0, controlUnits: control.value?.units ?? 0 };
  const unknown = (reason: string) => ({ ...units, isBeyond: false, reason });
  if (!control.value) return unknown(reasonText(control.reason).replace("The group", names.control));
  if (!test.value) return unknown(reasonText(test.reason).replace("The group", names.test));
  if (Math.min(units.testUnits, units.controlUnits) < LEAST_UNITS) return unknown(`${names.few}, which is too few to conclude anything.`);
  const { value: found, reason } = sequentialLift(control.value, test.value, { alpha: ALPHA });
  if (!found) return unknown(reasonText(reason));
  const [lower, upper] = found.interval.map((bound) => 100 * bound) as [number, number];
  const isBeyond = isDecreaseBetter ? lower > maxHarmPercent : upper < -maxHarmPercent;
  return { ...units, percentChange: 100 * found.lift, percentInterval: [lower, upper], isBeyond };
}

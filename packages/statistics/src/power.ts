import type { Sides } from "./difference.ts";
import { normalQuantile } from "./distributions.ts";

export type PowerPlan = {
  /** The chance to call an effect that does not exist, 0–1. */
  alpha: number;
  /** The chance to find an effect that exists, 0–1. */
  power: number;
  sides?: Sides;
  /** Units of the test for each of the control. */
  testPerControl?: number;
};

const powerQuantile = ({ alpha, power, sides = "two" }: PowerPlan) =>
  -normalQuantile(sides === "two" ? alpha / 2 : alpha) + normalQuantile(power);

/** How many units the control needs. @param effect the effect to be found, in standard deviations of a unit */
export function controlUnitsFor(effect: number, plan: PowerPlan): number {
  return (powerQuantile(plan) ** 2 * (1 + 1 / (plan.testPerControl ?? 1))) / effect ** 2;
}

/** The least effect that so many units of the control find, in standard deviations of a unit. */
export function minimumDetectableEffect(controlUnits: number, plan: PowerPlan): number {
  return powerQuantile(plan) * Math.sqrt((1 + 1 / (plan.testPerControl ?? 1)) / controlUnits);
}

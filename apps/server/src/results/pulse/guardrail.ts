import type { Schema } from "@gatehouse/contract/console";
import { sequenceReach } from "@gatehouse/statistics";
import type { Estimates } from "./estimates.ts";
import { lackText, reasonText } from "./reasons.ts";

type Guard = { maxHarmPercent: number; isDecreaseBetter: boolean };

/** The chance that the interval ever misses the true change, for any number of looks. */
export const GUARDRAIL_ALPHA = 0.05;

/** The units that a guardrail protects, and those that they are compared with. */
export type Sides = Pick<Estimates, "control" | "test" | "comparison" | "lack">;

/** The names of the two sides in inconclusive results. */
export type SideNames = { control: string; test: string };

/** The sides of a rule. */
export const RULE_SIDES: SideNames = {
  control: "The group that fails",
  test: "The group that passes",
};

/** The sides of an experiment. */
export const GROUP_SIDES: SideNames = {
  control: "The control group",
  test: "The group",
};

export type GuardrailOutcome = Schema<"GuardrailOutcome"> &
  Pick<Schema<"GuardrailNumbers">, "percentChange" | "percentInterval"> & { testUnits?: number; controlUnits?: number };

/** Whether a metric is certain to be worse for the units of the test by more than a guardrail allows. */
export function compareSides(
  { control, test, comparison, lack }: Sides,
  { maxHarmPercent, isDecreaseBetter }: Guard,
  names: SideNames,
): GuardrailOutcome {
  const units = { testUnits: test.value?.units ?? 0, controlUnits: control.value?.units ?? 0 };
  const unknown = (reason: string) => ({ ...units, isBeyond: false, reason });
  if (!control.value) return unknown(reasonText(control.reason).replace("The group", names.control));
  if (!test.value) return unknown(reasonText(test.reason).replace("The group", names.test));
  if (!comparison.value) return unknown(reasonText(comparison.reason));
  const missing = lack(GUARDRAIL_ALPHA);
  if (missing) return unknown(lackText(missing));
  if (control.value.mean === 0) return unknown(reasonText("control_mean_zero"));
  const { value: interval, reason } = comparison.value.liftInterval(
    sequenceReach(control.value.units + test.value.units, { alpha: GUARDRAIL_ALPHA }),
  );
  if (!interval) return unknown(reasonText(reason));
  const [lower, upper] = interval.map((bound) => 100 * bound) as [number, number];
  const isBeyond = isDecreaseBetter ? lower > maxHarmPercent : upper < -maxHarmPercent;
  return {
    ...units,
    percentChange: (100 * comparison.value.delta) / Math.abs(control.value.mean),
    percentInterval: [lower, upper],
    isBeyond,
  };
}

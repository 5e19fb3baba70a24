// How results are adjusted, in words. Pure.
import type { Schema } from "../api.ts";
import { numberText } from "./verdicts.ts";

type Adjustment = Schema<"PulseAdjustment">;

export const METHOD_NAMES: Readonly<Record<Adjustment["method"], string>> = { post_stratification: "post-stratification" };

/** The choice to adjust results as the experiment says; undefined if it says nothing. */
export function adjustmentLabel({ postStratifyBy }: Pick<Schema<"Experiment">, "postStratifyBy">): string | undefined {
  return postStratifyBy ? `Post-stratify by ${postStratifyBy}` : undefined;
}

/** How much of the variance the adjustment saved. */
export function adjustmentText({ varianceReduction = 0, strata = 0 }: Adjustment): string {
  const size = `${numberText(Math.abs(100 * varianceReduction))} %`;
  return `${varianceReduction < 0 ? `Variance raised by ${size}` : `${size} of the variance saved`} by ${strata} strata`;
}

// How results are adjusted, in words. Pure.
import type { Schema } from "../api.ts";
import { numberText } from "./verdicts.ts";

type Adjustment = Schema<"PulseAdjustment">;

export const METHOD_NAMES: Readonly<Record<Adjustment["method"], string>> = {
  post_stratification: "post-stratification",
  regression: "regression",
};

type Settings = Pick<Schema<"Experiment">, "postStratifyBy" | "cureCovariates">;

/** The choice to adjust results as the experiment says; undefined if it says nothing. */
export function adjustmentLabel({ postStratifyBy, cureCovariates = [] }: Settings): string | undefined {
  if (postStratifyBy) return `Post-stratify by ${postStratifyBy}`;
  if (cureCovariates.length === 0) return undefined;
  return `Adjust for earlier ${cureCovariates.map(({ name }) => name).join(", ")}`;
}

/** How much of the variance the adjustment saved. */
export function adjustmentText({ method, varianceReduction = 0, strata = 0, covariates = [] }: Adjustment): string {
  const change = `Variance ${varianceReduction < 0 ? "increased" : "reduced"} by ${numberText(Math.abs(100 * varianceReduction))}%`;
  if (method === "post_stratification") return `${change} (${strata} ${strata === 1 ? "value" : "values"})`;
  return `${change} (${covariates.length} ${covariates.length === 1 ? "covariate" : "covariates"})`;
}

/** The reason that results are not adjusted, or why covariates were left out. */
export function leftText({ reason, left = [] }: Adjustment): string | undefined {
  const texts = [...(reason === undefined ? [] : [reason]), ...left.map((one) => `${one.metricID}: ${one.reason}`)];
  return texts.length > 0 ? texts.join(" ") : undefined;
}

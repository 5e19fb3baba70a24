import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import type { AskedAdjustment } from "../../results/pulse/adjustment.ts";
import { propertyIn } from "../../results/sql/dimension.ts";
import { metricID, namedMetrics, namedOne } from "../common/named.ts";
import type { Reference } from "../reference.ts";

type Adjusted = Pick<Schema<"Experiment">, "postStratifyBy" | "cureCovariates" | "sequentialTesting" | "analyticsType">;

/** How an experiment reduces the variance of its results beside CUPED. */
export function adjustmentOf({ postStratifyBy, cureCovariates = [] }: Adjusted): AskedAdjustment | undefined {
  if (postStratifyBy) return { method: "post_stratification", dimension: postStratifyBy };
  return cureCovariates.length > 0 ? { method: "regression", covariates: [...new Set(cureCovariates.map(metricID))] } : undefined;
}

/** Rejects two adjustments, and those where verdicts need more than the last day: sequential tests need the day of the planned end. */
export function checkAdjustment(experiment: Adjusted, violations: Violation[]): void {
  const { postStratifyBy, cureCovariates = [], sequentialTesting, analyticsType } = experiment;
  const property = postStratifyBy ? "postStratifyBy" : cureCovariates.length > 0 ? "cureCovariates" : undefined;
  if (property === undefined) return;
  const refuse = (what: string) => violations.push({ property, errorMessage: `cannot be combined with ${what}` });
  if (postStratifyBy && cureCovariates.length > 0) refuse("cureCovariates: choose one of them");
  if (sequentialTesting) refuse("sequentialTesting, whose verdicts need the results of earlier days");
  if (analyticsType === "sprt") refuse("analyticsType sprt, whose verdicts need the results of earlier days");
}

/** The property source that results are stratified by, and the metrics that are covariates. */
export function namedByAdjustment({ postStratifyBy = "", cureCovariates }: Adjusted): Reference[] {
  return [
    ...namedOne("entity_property_source", propertyIn(postStratifyBy)?.name, "postStratifyBy"),
    ...namedMetrics(cureCovariates, "cureCovariates"),
  ];
}

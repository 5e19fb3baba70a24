import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import type { AskedAdjustment } from "../../results/pulse/adjustment.ts";
import { propertyIn } from "../../results/sql/dimension.ts";
import { namedOne } from "../common/named.ts";
import type { Reference } from "../reference.ts";

type Adjusted = Pick<Schema<"Experiment">, "postStratifyBy" | "sequentialTesting" | "analyticsType">;

/** How an experiment reduces the variance of its results beside CUPED. */
export function adjustmentOf({ postStratifyBy }: Adjusted): AskedAdjustment | undefined {
  return postStratifyBy ? { method: "post_stratification", dimension: postStratifyBy } : undefined;
}

/** Rejects adjusted results where verdicts need more than the last day: those of sequential tests need the one of the planned end. */
export function checkAdjustment({ postStratifyBy, sequentialTesting, analyticsType }: Adjusted, violations: Violation[]): void {
  const refuse = (what: string) =>
    violations.push({
      property: "postStratifyBy",
      errorMessage: `cannot be combined with ${what}, whose verdicts need the results of earlier days`,
    });
  if (!postStratifyBy) return;
  if (sequentialTesting) refuse("sequentialTesting");
  if (analyticsType === "sprt") refuse("analyticsType sprt");
}

/** The property source that results are stratified by. */
export function namedByAdjustment({ postStratifyBy = "" }: Adjusted): Reference[] {
  return namedOne("entity_property_source", propertyIn(postStratifyBy)?.name, "postStratifyBy");
}

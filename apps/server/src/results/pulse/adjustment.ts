import type { Schema } from "@gatehouse/contract/console";
import type { Estimate } from "@gatehouse/statistics";
import { areProportions, type ComparedSums, comparedMeans, type Estimates } from "./estimates.ts";
import { type StoredStrata, stratify } from "./strata.ts";

/** How an experiment reduces the variance of its results. */
export type AskedAdjustment = { method: "post_stratification"; dimension: string };

/** What a load stored for the adjustment, or why it could not. */
export type StoredAdjustment = StoredStrata;

/** The adjustment asked for, and what the last load stored for it. */
export type Adjusting = { asked: AskedAdjustment; found: StoredAdjustment | { reason: string } | undefined };

type Reported = Schema<"PulseAdjustment">;

const NOT_STORED = "The last update didn't compute it. Refresh the results.";
const NOT_OF_RATIOS = "It adjusts means, and this metric is a ratio.";
const FEW_SUCCESSES = "Too few units succeeded, or failed, for an adjusted mean. The proportions are compared as they are.";
export const NOT_OF_PERCENTILES = "It adjusts means, and this metric is a percentile.";
export const OF_LAST_DAY = "It is known as of the last update alone.";

type Given = { alpha: number; isOneSided: boolean; controlID: string; testID: string };

/** Adjusts the estimates of both groups, or returns them as they are, with the reason. Proportions need as much data as means then. */
export function adjustEstimates(plain: Estimates, compared: ComparedSums, { asked, found }: Adjusting, given: Given): Estimates {
  const described = describeAdjustment(asked);
  const asIs = (reason: string): Estimates => ({ ...plain, adjustment: { ...described, isUsed: false, reason } });
  if (compared.isRatio) return asIs(NOT_OF_RATIOS);
  if (!found || !isAsked(asked, found)) return asIs(NOT_STORED);
  if ("reason" in found) return asIs(found.reason);
  const adjusted = stratify(found, compared, plain, given);
  if ("reason" in adjusted) return asIs(adjusted.reason);
  const [control, test] = adjusted.groups;
  const means = comparedMeans({ control: { value: control }, test: { value: test } }, plain.cuped, given.isOneSided);
  if (areProportions(compared.control, compared.test) && means.lack(given.alpha)) return asIs(FEW_SUCCESSES);
  const saved = savedVariance(plain, adjusted.groups);
  return {
    ...means,
    adjustment: { ...described, isUsed: true, strata: adjusted.strata, ...(saved !== undefined && { varianceReduction: saved }) },
  };
}

const isAsked = (asked: AskedAdjustment, found: StoredAdjustment | { reason: string }): boolean =>
  !("dimension" in found) || found.dimension === asked.dimension;

export const describeAdjustment = ({ method, dimension }: AskedAdjustment): Pick<Reported, "method" | "dimension"> => ({
  method,
  dimension,
});

/** The share of the variance of the difference that the adjustment saved. */
function savedVariance({ control, test }: Estimates, [adjustedControl, adjustedTest]: readonly [Estimate, Estimate]): number | undefined {
  const variance = (...groups: (Estimate | undefined)[]) => groups.reduce((sum, group) => sum + (group?.standardError ?? 0) ** 2, 0);
  const before = variance(control.value, test.value);
  return before > 0 ? 1 - variance(adjustedControl, adjustedTest) / before : undefined;
}

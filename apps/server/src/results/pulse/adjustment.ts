import type { Schema } from "@gatehouse/contract/console";
import type { Estimate } from "@gatehouse/statistics";
import { type LeftCovariate, regress, type StoredCovariates } from "./covariates.ts";
import { type ComparedSums, comparedMeans, type Estimates } from "./estimates.ts";
import { type StoredStrata, stratify } from "./strata.ts";

/** How an experiment reduces the variance of its results. Covariates are ids of metrics. */
export type AskedAdjustment =
  | { method: "post_stratification"; dimension: string }
  | { method: "regression"; covariates: readonly string[] };

/** What a load stored for the adjustment, or why it could not. */
export type StoredAdjustment = StoredStrata | StoredCovariates;

type Stored = Exclude<StoredAdjustment, { reason: string }>;

/** The adjustment asked for, and what the last load stored for it. */
export type Adjusting = { asked: AskedAdjustment; found: StoredAdjustment | { reason: string } | undefined };

type Reported = Schema<"PulseAdjustment">;

const NOT_STORED = "The last update didn't compute it. Refresh the results.";
const NOT_OF_RATIOS = "It adjusts means, and this metric is a ratio.";
const NEEDS_MORE = "Adjusted means need more data for a verdict. The groups are compared as they are.";
export const NOT_OF_PERCENTILES = "It adjusts means, and this metric is a percentile.";
export const OF_LAST_DAY = "It is known as of the last update alone.";

type Given = { alpha: number; isOneSided: boolean; controlID: string; testID: string };

/** Adjusts the estimates of both groups, or returns them as they are, with the reason. */
export function adjustEstimates(plain: Estimates, compared: ComparedSums, { asked, found }: Adjusting, given: Given): Estimates {
  const described = describeAdjustment(asked);
  const asIs = (reason: string, left: readonly LeftCovariate[] = []): Estimates => ({
    ...plain,
    adjustment: { ...described, isUsed: false, reason, ...(left.length > 0 && { left: [...left] }) },
  });
  if (compared.isRatio) return asIs(NOT_OF_RATIOS);
  if (!found || !isAsked(asked, found)) return asIs(NOT_STORED);
  if ("reason" in found) return asIs(found.reason);
  const adjusted = adjustWith(found, plain, compared, given);
  if (!adjusted.groups) return asIs(adjusted.reason, adjusted.left);
  const { groups, cuped = plain.cuped, ...used } = adjusted;
  const means = comparedMeans({ control: { value: groups[0] }, test: { value: groups[1] } }, cuped, given.isOneSided);
  if (means.lack(given.alpha)) return asIs(NEEDS_MORE);
  return { ...means, adjustment: { ...described, isUsed: true, ...used } };
}

type Used = Pick<Reported, "strata" | "covariates" | "left" | "varianceReduction"> & {
  groups: readonly [control: Estimate, test: Estimate];
  cuped?: Estimates["cuped"];
  reason?: undefined;
};
type Unused = { groups?: undefined; reason: string; left?: readonly LeftCovariate[] };

function adjustWith(found: Stored, plain: Estimates, compared: ComparedSums, given: Given): Used | Unused {
  if ("strata" in found) {
    const adjusted = stratify(found, compared, plain, given);
    if ("reason" in adjusted) return adjusted;
    const varianceReduction = savedVariance(plain, adjusted.groups);
    return { ...adjusted, ...(varianceReduction !== undefined && { varianceReduction }) };
  }
  const adjusted = regress(found, given);
  if ("reason" in adjusted) return adjusted;
  const { groups, covariates, left, varianceReduction } = adjusted;
  return {
    groups,
    covariates: [...covariates],
    ...(left.length > 0 && { left: [...left] }),
    varianceReduction,
    cuped: { reason: "replaced" },
  };
}

function isAsked(asked: AskedAdjustment, found: StoredAdjustment | { reason: string }): boolean {
  if ("dimension" in found) return asked.method === "post_stratification" && found.dimension === asked.dimension;
  if ("covariates" in found) return asked.method === "regression" && found.covariates.join() === asked.covariates.join();
  return true;
}

export const describeAdjustment = (asked: AskedAdjustment): Pick<Reported, "method" | "dimension"> =>
  asked.method === "regression" ? { method: asked.method } : { method: asked.method, dimension: asked.dimension };

/** The share of the variance of the difference that the adjustment saved. */
function savedVariance({ control, test }: Estimates, [adjustedControl, adjustedTest]: readonly [Estimate, Estimate]): number | undefined {
  const variance = (...groups: (Estimate | undefined)[]) => groups.reduce((sum, group) => sum + (group?.standardError ?? 0) ** 2, 0);
  const before = variance(control.value, test.value);
  return before > 0 ? 1 - variance(adjustedControl, adjustedTest) / before : undefined;
}

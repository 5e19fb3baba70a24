import { adjustByRegression, type Estimate, selectValues } from "@gatehouse/statistics";
import type { CovariateMoments } from "../sql/covariates-query.ts";
import { totalOf } from "./sum-moments.ts";
import { type GroupSums, NOTHING } from "./sums.ts";

/** A covariate that was not used, with the reason. */
export type LeftCovariate = { metricID: string; reason: string };

/** A load's moments of a metric's amounts, less a base, and the covariates `used`, by group; or why it has none. */
export type StoredCovariates =
  | {
      covariates: readonly string[];
      used: readonly string[];
      left: readonly LeftCovariate[];
      base: number;
      groups: Record<string, CovariateMoments>;
    }
  | { covariates: readonly string[]; reason: string };

type Found = Extract<StoredCovariates, { groups: unknown }>;

export type Regression = {
  groups: readonly [control: Estimate, test: Estimate];
  covariates: readonly string[];
  left: readonly LeftCovariate[];
  varianceReduction: number;
};

/** As with CUPED, a covariate needs such a share of units with a value. */
const MORE_VALUES_THAN = 0.05;

const FEW_VALUES = "At most 5% of the units did anything before their first exposure.";
const NOT_INDEPENDENT = "It doesn't vary in a group, others determine it, or a group has too few units for so many covariates.";
const FEW_UNITS = "The two groups have 100 units or fewer in total, or one has fewer than 20.";
const NO_COVARIATES = "No covariate can be used.";
const NO_MOMENTS = "A group has no units yet.";

/** The groups' means adjusted by regression. */
export function regress(
  { used, left, base, groups }: Found,
  { controlID, testID }: { controlID: string; testID: string },
): Regression | { reason: string; left: readonly LeftCovariate[] } {
  if (used.length === 0) return { reason: NO_COVARIATES, left };
  const [control, test] = [groups[controlID], groups[testID]];
  if (!control || !test) return { reason: NO_MOMENTS, left };
  const units = control.n + test.n;
  const frequent = used
    .map((_, index) => index)
    .filter((index) => valuesOf(control, index) + valuesOf(test, index) > MORE_VALUES_THAN * units);
  const adjusted = adjustByRegression(onlyWith(control, frequent), onlyWith(test, frequent));
  const kept = new Set(adjusted.groups === undefined ? [] : adjusted.covariates.map((index) => frequent[index]));
  const reasonOf = (index: number) => (frequent.includes(index) ? NOT_INDEPENDENT : FEW_VALUES);
  const unused = used.flatMap((metricID, index) => (kept.has(index) ? [] : [{ metricID, reason: reasonOf(index) }]));
  if (adjusted.groups === undefined)
    return adjusted.reason === "few_units" ? { reason: FEW_UNITS, left } : { reason: NO_COVARIATES, left: [...left, ...unused] };
  const toMean = (estimate: Estimate): Estimate => ({ ...estimate, mean: base + estimate.mean });
  return {
    groups: [toMean(adjusted.groups[0]), toMean(adjusted.groups[1])],
    covariates: used.filter((_, index) => kept.has(index)),
    left: [...left, ...unused],
    varianceReduction: adjusted.varianceReduction,
  };
}

const valuesOf = ({ units }: CovariateMoments, index: number): number => units[index] ?? 0;

/** The moments of the amounts and some of the covariates. */
const onlyWith = (moments: CovariateMoments, covariates: readonly number[]) =>
  selectValues(moments, [0, ...covariates.map((index) => index + 1)]);

/** The maximum difference between sums that are added up in another order, relative to their size. */
const ROUNDING = 1e-9;

/** Whether the moments are of the same units and amounts as a load's sums. */
export function agreesWith(moments: Record<string, CovariateMoments>, totals: GroupSums, base: number): boolean {
  return [...new Set([...Object.keys(moments), ...Object.keys(totals)])].every((id) => {
    const { n = 0, sums: [amount = 0] = [] } = moments[id] ?? {};
    const own = totals[id] ?? NOTHING;
    const total = totalOf(own);
    return own.n === n && Math.abs(amount + base * n - total) <= ROUNDING * Math.max(1, Math.abs(total));
  });
}

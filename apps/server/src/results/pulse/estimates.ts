import type { Schema } from "@gatehouse/contract/console";
import {
  type Adjusted,
  adjustMeans,
  adjustRatios,
  type Comparison,
  compareMeans,
  compareProportions,
  type Estimate,
  type Lack,
  lackOfMeans,
  lackOfProportions,
  type Maybe,
  type NotAdjusted,
  type Proportion,
} from "@gatehouse/statistics";
import { estimateMean, toCrossMoments, toPairs } from "./sum-moments.ts";
import type { Sums } from "./sums.ts";

/** The groups of a comparison: one is the control and one the test. The others contribute to values that all groups share. */
export type ComparedSums = { control: Sums; test: Sums; others: readonly Sums[]; isRatio: boolean };

/** Why a value before the exposure was not used. */
export type NotUsed = NotAdjusted | "replaced" | "not_asked" | "of_percentile" | "few_successes";

/** The share of the variance that earlier behavior of units explains, or the reason against using it. */
export type Cuped = { varianceReduction: number; reason?: undefined } | { varianceReduction?: undefined; reason: NotUsed };

export type Estimates = {
  control: Maybe<Estimate>;
  test: Maybe<Estimate>;
  cuped: Cuped;
  /** How the means were adjusted as the experiment says, if it does. */
  adjustment?: Schema<"PulseAdjustment">;
  /** Both groups compared, once both have an estimate. */
  comparison: Maybe<Comparison>;
  /** The verdict's missing requirement at α; undefined if it is complete. */
  lack(alpha: number): Lack | undefined;
};

/** A one-sided test needs more data for a verdict. */
type Given = { isCupedAsked: boolean; alpha: number; isOneSided?: boolean };

type Pair = { control: Maybe<Estimate>; test: Maybe<Estimate> };

/**
 * The mean of a unit in both groups, or the ratio of each group's sums. Proportions with few successes and ratios of few units are not adjusted:
 * tests of adjusted values need more.
 */
export function estimateGroups(compared: ComparedSums, { isCupedAsked, alpha, isOneSided = false }: Given): Estimates {
  const { control, test, isRatio } = compared;
  const plain: Pair = { control: estimateMean(control, isRatio), test: estimateMean(test, isRatio) };
  const proportions = isRatio ? undefined : toProportions(control, test);
  const asIs = (reason: NotUsed) =>
    proportions ? comparedProportions(plain, proportions, reason) : comparedMeans(plain, { reason }, isOneSided);
  if (!isCupedAsked || !plain.control.value || !plain.test.value) return asIs("not_asked");
  const { adjustment, reason } = isRatio ? adjustedRatios(compared, plain) : adjustedMeans(compared, plain);
  if (!adjustment) return asIs(reason);
  const [controlMean, testMean] = adjustment.groups as [Estimate, Estimate];
  const { varianceReduction } = adjustment;
  const adjusted = comparedMeans({ control: { value: controlMean }, test: { value: testMean } }, { varianceReduction }, isOneSided);
  const missing = adjusted.lack(alpha);
  if (proportions && (missing || lackOfProportions(...proportions))) return asIs("few_successes");
  return missing?.reason === "notEnoughUnits" ? asIs("few_units") : adjusted;
}

/** Means or ratios compared by Welch's test. */
export function comparedMeans({ control, test }: Pair, cuped: Cuped, isOneSided = false): Estimates {
  const known = control.value && test.value ? ([control.value, test.value] as const) : undefined;
  return {
    ...{ control, test, cuped },
    comparison: known ? compareMeans(...known) : { reason: "no_units" },
    lack: (alpha) => known && lackOfMeans(...known, { alpha, isOneSided }),
  };
}

type Proportions = readonly [control: Proportion, test: Proportion];

function comparedProportions({ control, test }: Pair, proportions: Proportions, reason: NotUsed): Estimates {
  return {
    ...{ control, test, cuped: { reason } },
    comparison: control.value && test.value ? compareProportions(...proportions) : { reason: "no_units" },
    lack: () => lackOfProportions(...proportions),
  };
}

/** Both groups as proportions, if each unit of them has 0 or 1; undefined if not. */
function toProportions(...groups: [control: Sums, test: Sums]): Proportions | undefined {
  return groups.every(isOfZerosAndOnes) ? (groups.map(({ n, y }) => ({ units: n, successes: y })) as [Proportion, Proportion]) : undefined;
}

/** Whether the means of both groups are rates. Groups without any 1 may have another sort of value. */
export const areProportions = (control: Sums, test: Sums): boolean => control.y + test.y > 0 && toProportions(control, test) !== undefined;

/** Then Σ y(1 − y)² = 0, whose terms are not below 0 for values that are not, and Σ y is the number of ones. */
export const isOfZerosAndOnes = ({ y, yy, yyy, bases }: Sums): boolean => !bases && y === yy && y === yyy && Number.isInteger(y) && y >= 0;

function adjustedMeans({ control, test, others }: ComparedSums, plain: Pair): Adjusted {
  const groups = [control, test, ...others];
  const { base, pairs } = toPairs(groups);
  const { adjustment, reason } = adjustMeans(
    pairs,
    groups.reduce((sum, { m }) => sum + m, 0),
  );
  if (!adjustment) return { reason };
  const means = adjustment.groups.map((group) => ({ ...group, mean: base + group.mean }));
  return { adjustment: { ...adjustment, groups: pairs.every(({ cubes }) => cubes) ? means : asSkewedAs(means, plain) } };
}

/** The skewness of the adjusted ratios is taken for that of the ratios as they are. */
function adjustedRatios({ control, test }: ComparedSums, plain: Pair): Adjusted {
  const { adjustment, reason } = adjustRatios(toCrossMoments(control), toCrossMoments(test), control.m + test.m);
  if (!adjustment) return { reason };
  const base = control.bases?.y ?? test.bases?.y ?? 0;
  const ratios = adjustment.groups.map((group) => ({ ...group, mean: base + group.mean }));
  return { adjustment: { ...adjustment, groups: asSkewedAs(ratios, plain) } };
}

function asSkewedAs(groups: readonly Estimate[], plain: Pair): Estimate[] {
  const thirds = [plain.control.value?.thirdMoment, plain.test.value?.thirdMoment];
  return groups.map((group, index) => ({ ...group, thirdMoment: thirds[index] }));
}

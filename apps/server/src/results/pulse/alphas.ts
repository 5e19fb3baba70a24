import { benjaminiHochberg, bonferroni } from "@gatehouse/statistics";

/** Which comparisons share one α. */
export type Corrections = {
  bonferroniPerVariant: boolean;
  bonferroniPerMetric: boolean;
  /** The share of α for primary metrics, 0–1. */
  primaryWeight: number;
  benjaminiHochbergPerVariant: boolean;
  benjaminiHochbergPerMetric: boolean;
  /** Benjamini–Hochberg counts primary metrics only. */
  primaryOnly: boolean;
};

/** The p-value of a metric for a test group. Undefined if there is none. */
export type Comparison = { metricID: string; testID: string; isPrimary: boolean; p: number | undefined };

/**
 * The α of each metric for one test group. Sources: Bonferroni; Benjamini, Hochberg 1995.
 * @param comparisons every metric for every test group
 */
export function computeAlphas(
  comparisons: readonly Comparison[],
  testID: string,
  alpha: number,
  corrections: Corrections,
): (metricID: string) => number {
  const { bonferroniPerVariant, bonferroniPerMetric, benjaminiHochbergPerMetric, benjaminiHochbergPerVariant } = corrections;
  if (bonferroniPerVariant || bonferroniPerMetric) return bonferroniAlphas(comparisons, testID, alpha, corrections);
  if (!benjaminiHochbergPerMetric && !benjaminiHochbergPerVariant) return () => alpha;
  const counted = comparisons.filter(({ isPrimary }) => isPrimary || !corrections.primaryOnly);
  const findFamily = (metricID: string) =>
    counted.filter(
      (one) => (benjaminiHochbergPerMetric || one.metricID === metricID) && (benjaminiHochbergPerVariant || one.testID === testID),
    );
  return (metricID) => {
    const isCounted = counted.some((one) => one.metricID === metricID);
    const ps = findFamily(metricID).flatMap(({ p }) => (p === undefined ? [] : [p]));
    return isCounted && ps.length > 0 ? benjaminiHochberg(ps, alpha).alpha : alpha;
  };
}

function bonferroniAlphas(comparisons: readonly Comparison[], testID: string, alpha: number, corrections: Corrections) {
  const { bonferroniPerVariant, bonferroniPerMetric, primaryWeight } = corrections;
  const metrics = comparisons.filter((one) => one.testID === testID);
  const primary = metrics.filter(({ isPrimary }) => isPrimary);
  const secondary = metrics.length - primary.length;
  const testGroups = bonferroniPerVariant ? new Set(comparisons.map((one) => one.testID)).size : 1;
  // Where there are metrics of one sort only, they have all of α.
  const weight = secondary === 0 ? 1 : primary.length === 0 ? 0 : primaryWeight;
  const shares = bonferroni({
    alpha,
    testGroups: Math.max(1, testGroups),
    ...(bonferroniPerMetric && { metrics: { primary: primary.length, secondary, primaryWeight: weight } }),
  });
  const primaryIDs = new Set(primary.map(({ metricID }) => metricID));
  return (metricID: string) => (primaryIDs.has(metricID) ? shares.primary : shares.secondary);
}

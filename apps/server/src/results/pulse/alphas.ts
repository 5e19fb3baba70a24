import { benjaminiHochberg, bonferroni, holm } from "@gatehouse/statistics";

/** The comparisons that share one α. */
export type Corrections = {
  bonferroniPerVariant: boolean;
  bonferroniPerMetric: boolean;
  /** The share of α for primary metrics, 0–1. */
  primaryWeight: number;
  holmPerVariant: boolean;
  holmPerMetric: boolean;
  benjaminiHochbergPerVariant: boolean;
  benjaminiHochbergPerMetric: boolean;
  /** Benjamini–Hochberg counts primary metrics only. */
  primaryOnly: boolean;
};

/** The p-value of a metric for a test group. Undefined if it does not exist. */
export type Comparison = { metricID: string; testID: string; isPrimary: boolean; p: number | undefined };

/**
 * The α of each metric for one test group. Sources: Bonferroni; Holm 1979; Benjamini, Hochberg 1995.
 * @param comparisons every metric for every test group
 */
export function computeAlphas(
  comparisons: readonly Comparison[],
  testID: string,
  alpha: number,
  corrections: Corrections,
): (metricID: string) => number {
  const correction = correctionOf(corrections);
  if (correction === "bonferroni") return bonferroniAlphas(comparisons, testID, alpha, corrections);
  if (correction === "none") return () => alpha;
  const isHolm = correction === "holm";
  const isPerMetric = isHolm ? corrections.holmPerMetric : corrections.benjaminiHochbergPerMetric;
  const isPerVariant = isHolm ? corrections.holmPerVariant : corrections.benjaminiHochbergPerVariant;
  const correct = isHolm ? holm : benjaminiHochberg;
  const counted = comparisons.filter(({ isPrimary }) => isPrimary || isHolm || !corrections.primaryOnly);
  const findFamily = (metricID: string) =>
    counted.filter((one) => (isPerMetric || one.metricID === metricID) && (isPerVariant || one.testID === testID));
  return (metricID) => {
    const isCounted = counted.some((one) => one.metricID === metricID);
    const ps = findFamily(metricID).flatMap(({ p }) => (p === undefined ? [] : [p]));
    return isCounted && ps.length > 0 ? correct(ps, alpha).alpha : alpha;
  };
}

/** The correction that counts where several are on. */
export function correctionOf(corrections: Corrections): "none" | "bonferroni" | "holm" | "benjaminiHochberg" {
  const { bonferroniPerVariant, bonferroniPerMetric, holmPerMetric, holmPerVariant } = corrections;
  if (bonferroniPerVariant || bonferroniPerMetric) return "bonferroni";
  if (holmPerMetric || holmPerVariant) return "holm";
  return corrections.benjaminiHochbergPerMetric || corrections.benjaminiHochbergPerVariant ? "benjaminiHochberg" : "none";
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

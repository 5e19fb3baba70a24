// How numbers came about, with the actual numbers in their formulas: 0.412 − 0.381 = 0.031. Pure.
import type { PulseNumber } from "./number-meanings.ts";
import { isSymmetric, liftInterval, numberText, type PulseMetric, pText, signedText } from "./verdicts.ts";

/** How a number of a metric came about. Undefined where the other numbers do not say. */
export function workedOut(of: PulseNumber, metric: PulseMetric): string | undefined {
  return WORKED[of]?.(metric);
}

type Group = { total: number | undefined; over: number | undefined; mean: number | undefined; units: number | undefined };

const groupIn = (group: "control" | "test", metric: PulseMetric): Group => ({
  total: metric[`${group}Total`],
  over: metric[`${group}Denominator`] ?? metric[`${group}Units`],
  mean: metric[`${group}Mean`],
  units: metric[`${group}Units`],
});

/** Sums that agree up to rounding are the same. */
const CLOSE = 1e-9;

function meanWorked(group: "control" | "test", metric: PulseMetric): string | undefined {
  const { total, over, mean } = groupIn(group, metric);
  if (total === undefined || mean === undefined || !over) return undefined;
  const quotient = total / over;
  const divided = `${numberText(total)} ÷ ${numberText(over)} = ${numberText(quotient)}`;
  if (Math.abs(quotient - mean) <= CLOSE * Math.max(1, Math.abs(mean))) return divided;
  const adjusted = [...(metric.cuped?.isUsed ? ["CUPED"] : []), ...(metric.adjustment?.isUsed ? ["the adjustment"] : [])];
  return adjusted.length > 0 ? `${divided}, and ${numberText(mean)} after ${adjusted.join(" and ")}` : undefined;
}

function errorWorked(group: "control" | "test", metric: PulseMetric): string | undefined {
  const { units } = groupIn(group, metric);
  const error = metric[`${group}Std`];
  if (error === undefined || !units) return undefined;
  const deviation = error * Math.sqrt(units);
  return `${numberText(deviation)} ÷ √${numberText(units)} = ${numberText(error)}`;
}

const percentOfControl = (part: number, { controlMean }: PulseMetric): string | undefined =>
  controlMean === undefined || controlMean === 0
    ? undefined
    : `100 × ${numberText(part)} ÷ ${numberText(Math.abs(controlMean))} = ${numberText((100 * part) / Math.abs(controlMean))}%`;

/** The standard error of the difference of the means. */
function errorOfDifference({ controlStd, testStd }: PulseMetric): number | undefined {
  return controlStd === undefined || testStd === undefined ? undefined : Math.hypot(controlStd, testStd);
}

function halfWidthWorked(halfWidth: number | undefined, metric: PulseMetric): string | undefined {
  const error = errorOfDifference(metric);
  if (halfWidth === undefined || !error || !isSymmetric(metric)) return undefined;
  return `${numberText(halfWidth / error)} × ${numberText(error)} = ${numberText(halfWidth)}`;
}

const WORKED: Partial<Record<PulseNumber, (metric: PulseMetric) => string | undefined>> = {
  controlMean: (metric) => meanWorked("control", metric),
  testMean: (metric) => meanWorked("test", metric),
  controlStd: (metric) => errorWorked("control", metric),
  testStd: (metric) => errorWorked("test", metric),
  absoluteChange: ({ testMean, controlMean, absoluteChange }) =>
    testMean === undefined || controlMean === undefined || absoluteChange === undefined
      ? undefined
      : `${numberText(testMean)} − ${numberText(controlMean)} = ${numberText(absoluteChange)}`,
  percentChange: (metric) => (metric.absoluteChange === undefined ? undefined : percentOfControl(metric.absoluteChange, metric)),
  percentInterval: (metric) => {
    const interval = liftInterval(metric);
    if (!interval || metric.alpha === undefined) return undefined;
    const bounds = `${signedText(interval[0])}% to ${signedText(interval[1])}%`;
    return `${bounds}. Of 100 such intervals, ${numberText(100 * (1 - metric.alpha))} hold the true change.`;
  },
  confidenceIntervalDelta: (metric) => halfWidthWorked(metric.confidenceIntervalDelta, metric),
  sequentialTestingConfidenceIntervalDelta: (metric) => halfWidthWorked(metric.sequentialTestingConfidenceIntervalDelta, metric),
  percentSequentialTestingConfidenceIntervalDelta: (metric) => {
    const halfWidth = metric.sequentialTestingConfidenceIntervalDelta;
    return halfWidth === undefined ? undefined : percentOfControl(halfWidth, metric);
  },
  pValue: (metric) => {
    const { absoluteChange, pValue, alpha } = metric;
    const error = errorOfDifference(metric);
    if (absoluteChange === undefined || pValue === undefined || !error) return undefined;
    const level = alpha === undefined ? "" : `, α = ${numberText(alpha)}`;
    // The score test of proportions has another standard error.
    if (!isSymmetric(metric)) return `p ${pIs(pValue)}${level}`;
    return `${numberText(absoluteChange)} ÷ ${numberText(error)} = ${numberText(absoluteChange / error)} standard errors: p ${pIs(pValue)}${level}`;
  },
  "bayesian.lower": ({ bayesian }) => bayesian && boundWorked(bayesian.mean, bayesian.lower, bayesian.standardDeviation),
  "bayesian.upper": ({ bayesian }) => bayesian && boundWorked(bayesian.mean, bayesian.upper, bayesian.standardDeviation),
};

const pIs = (p: number): string => (pText(p).startsWith("<") ? pText(p) : `= ${pText(p)}`);

function boundWorked(mean: number, bound: number, spread: number): string {
  const sign = bound < mean ? "−" : "+";
  return `${numberText(mean)} ${sign} ${numberText(Math.abs(bound - mean) / spread)} × ${numberText(spread)} = ${numberText(bound)}%`;
}

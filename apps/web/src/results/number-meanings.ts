// The meaning of each number of results, its formula in plain notation, and its source. Pure: hovers and lists both read it.
import type { Schema } from "../api.ts";
import { DETECTION_MEANINGS } from "./detection-meanings.ts";
import type { Meaning } from "./meaning.ts";
import { SEQUENTIAL_MEANINGS } from "./sequential-meanings.ts";
import { TOPLINE_MEANINGS } from "./topline-meanings.ts";

type Place<Value, Key extends string> = Value extends number | readonly number[]
  ? Key
  : Value extends readonly unknown[]
    ? never
    : Value extends object
      ? `${Key}.${NumberIn<Value>}`
      : never;

/** The names of the numbers in an object and in its parts: `cuped.varianceReduction`. */
type NumberIn<Of extends object> = { [Key in keyof Of & string]-?: Place<NonNullable<Of[Key]>, Key> }[keyof Of & string];

/** Every number of a metric's results, except the time it was computed and the version of the metric. */
export type PulseNumber = Exclude<NumberIn<Schema<"PulseMetric">>, "loadedTime" | "metricVersion">;

const WELCH = "Welch 1947";
const DELTA = "Deng, Knoblich, Lu 2018";
const MIXTURE = "After Zhao et al. 2018, as Statsig documents it";
const CONJUGATE = "Gelman et al. 2013";

const groupMeanings = (group: "control" | "test") => ({
  mean: {
    label: `Mean of the ${group} group`,
    text: "The mean per unit, including units without events. For ratios, the ratio of the group’s sums. CUPED adjusts it for behavior before the exposure.",
    formula: "sum ÷ units; for ratios, sum of numerators ÷ sum of denominators",
    source: `Ratios: ${DELTA}`,
  },
  units: {
    label: `Units of the ${group} group`,
    text: "Units that saw only this group. For ratios, only units with a denominator.",
  },
  error: {
    label: `Standard error of the ${group} group`,
    text: "The standard error of the mean. Four times as many units halve it.",
    formula: "standard deviation of a unit ÷ √units; for ratios and percentiles by the delta method",
    source: DELTA,
  },
  total: {
    label: `Sum of the ${group} group`,
    text: "The total over all units of the group. For ratios, the sum of the numerators.",
    formula: "sum over the units",
  },
  events: {
    label: `Events of the ${group} group`,
    text: "The number of events that the percentile is computed from.",
  },
  denominator: {
    label: `Denominator of the ${group} group`,
    text: "The sum of the denominators, for ratios.",
    formula: "sum of the denominators over the units",
  },
});

const [control, test] = [groupMeanings("control"), groupMeanings("test")];

/** A number that is added to the contract does not compile before it has its meaning here. */
export const PULSE_MEANINGS: Readonly<Record<PulseNumber, Meaning>> = {
  controlMean: control.mean,
  controlUnits: control.units,
  controlStd: control.error,
  controlTotal: control.total,
  controlDenominator: control.denominator,
  controlEvents: control.events,
  testMean: test.mean,
  testUnits: test.units,
  testStd: test.error,
  testTotal: test.total,
  testDenominator: test.denominator,
  testEvents: test.events,
  percentile: {
    label: "Percentile",
    text: "The groups are compared by this percentile of all their events. The error takes into account that events of the same unit are related.",
    formula: "SE of the level: √(var(I − q × S) ÷ K) ÷ mean of S, with S events and I events up to the percentile of each of K units",
    source: DELTA,
  },
  ...TOPLINE_MEANINGS,
  ...SEQUENTIAL_MEANINGS,
  ...DETECTION_MEANINGS,
  percentChange: {
    label: "Change",
    text: "The difference of the means, in percent of the control mean.",
    formula: "100 × (test mean − control mean) ÷ |control mean|",
    source: DELTA,
  },
  percentInterval: {
    label: "Interval of the change",
    text: "The range that likely contains the true change. It isn’t symmetric because the control mean is uncertain too. Without bounds, if the control mean may be 0, it isn’t shown.",
    formula: "all r with (test − r × control)² ≤ z² × (SE test² + r² × SE control²), each less 1",
    source: "Fieller 1954. Proportions: Koopman 1984",
  },
  sequentialPercentInterval: {
    label: "Interval of the change for daily looks",
    text: "The range that likely contains the true change, built for daily looks before the planned end. It decides the verdict until then.",
    formula: "as the interval of the change, with the threshold of the sequential test in place of z",
    source: `Fieller 1954. Threshold: ${MIXTURE}`,
  },
  percentConfidenceIntervalDelta: {
    label: "Half width in percent",
    text: "Half the width of the difference’s interval, in percent of the control mean. It’s too narrow for small control groups. Use the interval of the change instead.",
    formula: "100 × half width ÷ |control mean|",
  },
  absoluteChange: {
    label: "Difference",
    text: "The test mean minus the control mean, in the metric’s unit.",
    formula: "test mean − control mean",
  },
  absoluteInterval: {
    label: "Interval of the difference",
    text: "The range that likely contains the true difference. For yes/no metrics, it isn’t symmetric.",
    formula: "difference ± half width; of proportions, all differences that the score test does not reject",
    source: `${WELCH}. Proportions: Mee 1984`,
  },
  confidenceIntervalDelta: {
    label: "Half width of the interval",
    text: "The distance from the difference to each end of its interval. For yes/no metrics, the distance to the end nearer 0.",
    formula: "t(1 − α ÷ 2) × √(SE control² + SE test²); t is normal from 1,000 degrees of freedom on",
    source: WELCH,
  },
  pValue: {
    label: "p-value",
    text: "The probability of a difference at least this large if the groups don’t really differ. One-sided tests count only the desired direction. Non-inferiority tests assume that the groups differ by the margin.",
    formula: "2 × P(T > |difference| ÷ √(SE control² + SE test²)); of proportions, the score test with Yates’ correction",
    source: `${WELCH}. Proportions: Yates 1934`,
  },
  "verdict.pValue": {
    label: "p-value of the verdict",
    text: "The p-value that decides the verdict. In a sequential test, the smallest α at which the difference is significant.",
  },
  "verdict.absoluteChange": {
    label: "Difference at the planned end",
    text: "The test mean minus the control mean at the planned end.",
    formula: "test mean − control mean",
  },
  "verdict.percentInterval": {
    label: "Interval at the planned end",
    text: "The range that likely contains the true change, with the data at the planned end. It decides the verdict after that.",
    source: "Fieller 1954. Proportions: Koopman 1984",
  },
  "verdict.missing": {
    label: "Missing data",
    text: "About how many more units, successes, or failures are needed for a reliable verdict, at current rates and group sizes.",
    source: "Cochran 1954. Skewness: Johnson 1978; Hall 1992",
  },
  alpha: {
    label: "α",
    text: "The accepted chance of a false positive, after all corrections. The interval and the verdict use it.",
    formula:
      "1 − confidence; Bonferroni divides it by the comparisons, Holm by those that are left, Benjamini–Hochberg bounds the share of false ones",
    source: "Bonferroni: Dunn 1961. Holm 1979. Benjamini, Hochberg 1995",
  },
  sequentialTestingConfidenceIntervalDelta: {
    label: "Half width for daily looks",
    text: "The interval for daily looks before the planned end. It decides the verdict until then, and is wider than a single interval.",
    formula: "√((V + τ) ÷ τ × (−2 ln(α ÷ 2) − ln(V ÷ (V + τ)))) × √V, with V the variance of the difference and τ the prior’s",
    source: MIXTURE,
  },
  percentSequentialTestingConfidenceIntervalDelta: {
    label: "Half width for daily looks, in percent",
    text: "The same, in percent of the control mean.",
    formula: "100 × half width for every look ÷ |control mean|",
    source: MIXTURE,
  },
  "cuped.varianceReduction": {
    label: "CUPED",
    text: "The share of the variance explained by behavior before the first exposure. Removing it makes the interval narrower.",
    formula: "mean − θ × (mean before − mean before of all), with θ = cov(now, before) ÷ var(before); removed is the squared correlation",
    source: "Deng, Xu, Kohavi, Walker 2013",
  },
  "adjustment.varianceReduction": {
    label: "Variance saved",
    text: "The share of the variance of the difference that the experiment’s adjustment saved: post-stratification beside CUPED, or regression on what units did before, in place of it. Below 0 if the variance grew.",
    formula: "1 − adjusted variance of the difference ÷ its variance without the adjustment",
    source: "Miratrix, Sekhon, Yu 2013; Lin 2013",
  },
  "adjustment.strata": {
    label: "Values compared separately",
    text: "How many values of the experiment’s dimension were compared separately, after small ones were put together.",
    formula: "values with 10 units or more in both groups, and the others together",
    source: "Miratrix, Sekhon, Yu 2013",
  },
  "bayesian.chanceToBeat": {
    label: "Chance to beat",
    text: "The probability that the test group is better than the control group, given the data.",
    formula: "P(true change is in the desired direction) under the posterior",
    source: CONJUGATE,
  },
  "bayesian.expectedLoss": {
    label: "Expected loss",
    text: "The average loss if you ship the test group and it’s worse, in percent of the control.",
    formula: "mean of max(0, −change in the desired direction) under the belief",
    source: "Stucchio 2015",
  },
  "bayesian.expectedLossOfControl": {
    label: "Expected loss of the control",
    text: "The average loss if you keep the control group and it’s worse, in percent of it.",
    formula: "mean of max(0, change in the desired direction) under the belief",
    source: "Stucchio 2015",
  },
  "bayesian.chanceToBeatThreshold": {
    label: "Needed chance",
    text: "The chance at which the test group counts as better, or as worse.",
  },
  "bayesian.mean": {
    label: "Posterior mean",
    text: "The expected change, from the data and the prior.",
    formula: "(change ÷ SE² + prior mean ÷ prior SD²) ÷ (1 ÷ SE² + 1 ÷ prior SD²)",
    source: CONJUGATE,
  },
  "bayesian.standardDeviation": {
    label: "Posterior standard deviation",
    text: "The uncertainty of the expected change.",
    formula: "1 ÷ √(1 ÷ SE² + 1 ÷ prior SD²)",
    source: CONJUGATE,
  },
  "bayesian.lower": {
    label: "Lower credible bound",
    text: "The true change is below this with a probability of α ÷ 2.",
    formula: "believed change − z(1 − α ÷ 2) × spread",
    source: CONJUGATE,
  },
  "bayesian.upper": {
    label: "Upper credible bound",
    text: "The true change is above this with a probability of α ÷ 2.",
    formula: "believed change + z(1 − α ÷ 2) × spread",
    source: CONJUGATE,
  },
};

export const OBSERVED_MEANING: Meaning = {
  label: "Value",
  text: "The observed mean per unit of the group, including units without events, before CUPED and other adjustments. For ratios, the ratio of the group’s sums. For percentiles, the percentile of its events.",
  formula: "sum ÷ units; for ratios, sum of numerators ÷ sum of denominators",
};

export const VERDICT_MEANING: Meaning = {
  label: "Verdict",
  text: "Whether the difference is significant, and in the desired direction. It’s withheld until there’s enough data.",
  formula:
    "p ≤ α; in sequential tests the p-value for every look before the planned end, and that of the planned end later; in Bayesian experiments the chance to beat; for non-inferiority the interval within the margin",
  source: WELCH,
};

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
    text: "The mean of a unit, also of units without an event. Of a metric that divides: the ratio of the group’s sums. With CUPED, less what units did before.",
    formula: "sum ÷ units; for ratios, sum of numerators ÷ sum of denominators",
    source: `Ratios: ${DELTA}`,
  },
  units: {
    label: `Units of the ${group} group`,
    text: "How many units count: those that saw this group and no other. Of a ratio, only those with a denominator.",
  },
  error: {
    label: `Standard error of the ${group} group`,
    text: "How far such a mean usually is from the true one. Four times as many units halve it.",
    formula: "standard deviation of a unit ÷ √units; for ratios and percentiles by the delta method",
    source: DELTA,
  },
  total: {
    label: `Sum of the ${group} group`,
    text: "What its units did together. Of a ratio: the sum of the numerators.",
    formula: "sum over the units",
  },
  events: {
    label: `Events of the ${group} group`,
    text: "Of how many events of its units the percentile is.",
  },
  denominator: {
    label: `Denominator of the ${group} group`,
    text: "What the sum is divided by. Only ratios have it.",
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
    text: "The groups are compared by this percentile of all their events. The error counts that the events of a unit belong together.",
    formula: "SE of the level: √(var(I − q × S) ÷ K) ÷ mean of S, with S events and I events up to the percentile of each of K units",
    source: DELTA,
  },
  ...TOPLINE_MEANINGS,
  ...SEQUENTIAL_MEANINGS,
  ...DETECTION_MEANINGS,
  percentChange: {
    label: "Change",
    text: "The difference of the means relative to the size of the control mean.",
    formula: "100 × (test mean − control mean) ÷ |control mean|",
    source: DELTA,
  },
  percentInterval: {
    label: "Interval of the change",
    text: "Where the true change is to be expected. It also counts that the control mean is uncertain, so it is not symmetric. If the control mean may be 0, it has no bounds and is left out.",
    formula: "all r with (test − r × control)² ≤ z² × (SE test² + r² × SE control²), each less 1",
    source: "Fieller 1954. Proportions: Koopman 1984",
  },
  sequentialPercentInterval: {
    label: "Interval of the change for every look",
    text: "Where the true change is to be expected however often somebody looks before the planned end. It decides the verdict until then.",
    formula: "as the interval of the change, with the threshold of the sequential test in place of z",
    source: `Fieller 1954. Threshold: ${MIXTURE}`,
  },
  percentConfidenceIntervalDelta: {
    label: "Half width in percent",
    text: "How far the difference’s interval reaches toward 0, relative to the control mean as if that were known exactly. With a small control group it is too narrow: use the interval of the change.",
    formula: "100 × half width ÷ |control mean|",
  },
  absoluteChange: {
    label: "Difference",
    text: "The test mean less the control mean, in the unit of the metric.",
    formula: "test mean − control mean",
  },
  absoluteInterval: {
    label: "Interval of the difference",
    text: "Where the true difference is to be expected. If each unit has 0 or 1, the interval is not symmetric.",
    formula: "difference ± half width; of proportions, all differences that the score test does not reject",
    source: `${WELCH}. Proportions: Mee 1984`,
  },
  confidenceIntervalDelta: {
    label: "Half width of the interval",
    text: "The true difference is to be expected so far below or above the one that is shown. If each unit has 0 or 1: how far the interval reaches toward 0.",
    formula: "t(1 − α ÷ 2) × √(SE control² + SE test²); t is normal from 1,000 degrees of freedom on",
    source: WELCH,
  },
  pValue: {
    label: "p-value",
    text: "How probable such a difference or a larger one is, in either direction, if the groups do not differ. It is not the probability that they do not differ. A one-sided test counts the desired direction alone, and a test of non-inferiority asks the same for groups that differ by the margin.",
    formula: "2 × P(T > |difference| ÷ √(SE control² + SE test²)); of proportions, the score test with Yates’ correction",
    source: `${WELCH}. Proportions: Yates 1934`,
  },
  "verdict.pValue": {
    label: "p-value of the verdict",
    text: "The p-value that decides: in a sequential test, the smallest α at which it calls the difference.",
  },
  "verdict.absoluteChange": {
    label: "Difference at the planned end",
    text: "The test mean less the control mean, as of the planned end.",
    formula: "test mean − control mean",
  },
  "verdict.percentInterval": {
    label: "Interval at the planned end",
    text: "Where the true change is to be expected, by what was known at the planned end. It decides the verdict from then on.",
    source: "Fieller 1954. Proportions: Koopman 1984",
  },
  "verdict.missing": {
    label: "Missing data",
    text: "About how many more units, successes or failures a reliable verdict needs, at the present rates and group sizes.",
    source: "Cochran 1954. Skewness: Johnson 1978; Hall 1992",
  },
  alpha: {
    label: "α",
    text: "The chance of calling a difference where none is. It decides p-value, interval and verdict together, after all corrections.",
    formula:
      "1 − confidence; Bonferroni divides it by the comparisons, Holm by those that are left, Benjamini–Hochberg bounds the share of false ones",
    source: "Bonferroni: Dunn 1961. Holm 1979. Benjamini, Hochberg 1995",
  },
  sequentialTestingConfidenceIntervalDelta: {
    label: "Half width for every look",
    text: "The interval that holds however often somebody looks before the planned end. It decides the verdict until then, and is wider than that of a single look.",
    formula: "√((V + τ) ÷ τ × (−2 ln(α ÷ 2) − ln(V ÷ (V + τ)))) × √V, with V the variance of the difference and τ the prior’s",
    source: MIXTURE,
  },
  percentSequentialTestingConfidenceIntervalDelta: {
    label: "Half width for every look, in percent",
    text: "The same relative to the control mean, as if that were known exactly.",
    formula: "100 × half width for every look ÷ |control mean|",
    source: MIXTURE,
  },
  "cuped.varianceReduction": {
    label: "CUPED",
    text: "The share of the variance that what units did before their first exposure explains. It is removed: the true change stays, the interval becomes shorter.",
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
    label: "Strata",
    text: "How many values of the experiment’s dimension were compared separately, after small ones were put together.",
    formula: "values with 10 units or more in both groups, and the others together",
    source: "Miratrix, Sekhon, Yu 2013",
  },
  "bayesian.chanceToBeat": {
    label: "Chance to beat",
    text: "How probable it is, after the data, that the test group is better than the control in the desired direction.",
    formula: "P(true change is in the desired direction) under the belief",
    source: CONJUGATE,
  },
  "bayesian.expectedLoss": {
    label: "Expected loss",
    text: "What is lost on average by taking the test group, in percent of the control: small if it is rarely or barely worse.",
    formula: "mean of max(0, −change in the desired direction) under the belief",
    source: "Stucchio 2015",
  },
  "bayesian.expectedLossOfControl": {
    label: "Expected loss of the control",
    text: "What is lost on average by staying with the control group, in percent of it.",
    formula: "mean of max(0, change in the desired direction) under the belief",
    source: "Stucchio 2015",
  },
  "bayesian.chanceToBeatThreshold": {
    label: "Needed chance",
    text: "The chance to be better from which on the test group is called better, and worse where the chance to be worse is as high.",
  },
  "bayesian.mean": {
    label: "Believed change",
    text: "The change that is expected after the data and what was believed before.",
    formula: "(change ÷ SE² + prior mean ÷ prior SD²) ÷ (1 ÷ SE² + 1 ÷ prior SD²)",
    source: CONJUGATE,
  },
  "bayesian.standardDeviation": {
    label: "Spread of the belief",
    text: "How far the true change usually is from the believed one.",
    formula: "1 ÷ √(1 ÷ SE² + 1 ÷ prior SD²)",
    source: CONJUGATE,
  },
  "bayesian.lower": {
    label: "Lower bound of the belief",
    text: "The true change is so small or smaller with a probability of α ÷ 2.",
    formula: "believed change − z(1 − α ÷ 2) × spread",
    source: CONJUGATE,
  },
  "bayesian.upper": {
    label: "Upper bound of the belief",
    text: "The true change is so large or larger with a probability of α ÷ 2.",
    formula: "believed change + z(1 − α ÷ 2) × spread",
    source: CONJUGATE,
  },
};

export const VERDICT_MEANING: Meaning = {
  label: "Verdict",
  text: "Whether the difference is larger than chance explains, and whether it goes in the desired direction. Without enough data for a reliable verdict, none is shown.",
  formula:
    "p ≤ α; in sequential tests the p-value for every look before the planned end, and that of the planned end later; in Bayesian experiments the chance to beat; for non-inferiority the interval within the margin",
  source: WELCH,
};

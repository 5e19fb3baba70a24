// The meanings of the numbers beside results: of health checks, monitored units, plans and previews. Pure.
import type { Schema } from "../api.ts";
import type { Meaning } from "./meaning.ts";

type CheckNumber = keyof Pick<Schema<"HealthCheckMetadata">, "chiSquare" | "pValue" | "crossoverPercent">;

export const CHECK_MEANINGS: Readonly<Record<CheckNumber, Meaning>> = {
  chiSquare: {
    label: "χ²",
    text: "How far the units of the groups are from what their sizes say, all groups together. 0 is exactly as planned.",
    formula: "Σ (units − expected)² ÷ expected",
    source: "Pearson 1900",
  },
  pValue: {
    label: "p-value of the check",
    text: "How probable it is by chance that the groups are ever so far from their sizes, however often the check runs. Below 0.001 something loses or adds units of one group: its results are biased.",
    formula: "1 ÷ the Bayes factor of a Dirichlet prior worth 100 units, with its mean at the sizes, against the sizes",
    source: "Lindon, Malek 2022",
  },
  crossoverPercent: {
    label: "Crossover",
    text: "The share of the units that saw two groups or more. Nobody can say which of them did what, so they are left out of the results.",
    formula: "100 × units with several groups ÷ all units",
  },
};

export const BIAS_MEANING: Meaning = {
  label: "Smallest p-value before the exposure",
  text: "How probable the largest difference from the control is by chance, in what units did before they saw a group. It warns below 0.01 divided by the number of tests.",
  formula: "Welch’s test of the means before the first exposure",
  source: "Welch 1947. Bonferroni: Dunn 1961",
};

type CountedGroup = keyof Pick<Schema<"HealthCheckGroup">, "units" | "expectedUnits" | "crossoverPercent">;

export const GROUP_MEANINGS: Readonly<Record<CountedGroup, Meaning>> = {
  units: { label: "Units of the group", text: "The units that saw this group alone." },
  expectedUnits: {
    label: "Expected units",
    text: "What the group’s size says of all units that saw one group.",
    formula: "all units × size of the group ÷ sum of the sizes",
  },
  crossoverPercent: {
    label: "Crossover of the group",
    text: "The share of the group’s units that saw another group, too.",
    formula: "100 × units with several groups ÷ units that saw this group",
  },
};

export const MONITORED_MEANINGS: Readonly<Record<keyof Schema<"MonitoredUnits">, Meaning>> = {
  pass: {
    label: "Units on this side",
    text: "The units that saw this side of it alone, first within the phase. They are the test group, or the held out ones.",
  },
  fail: {
    label: "Units on the other side",
    text: "The units that saw the other side alone, first within the phase. They are what is compared with.",
  },
  crossed: {
    label: "Units on both sides",
    text: "The units that saw both sides, perhaps before the phase. They are left out of the results.",
    formula: "share: 100 × units on both sides ÷ all units",
  },
};

const POWER_SOURCE = "Kohavi, Tang, Xu 2020. Ratios: Deng, Knoblich, Lu 2018";

export const POWER_MEANINGS: Readonly<Record<keyof Schema<"PowerDay">, Meaning>> = {
  day: { label: "Day", text: "How many days the experiment lasts. It is computed as if it had begun on the first of the last days." },
  unitsPerGroup: {
    label: "Units in the smallest group",
    text: "How many units the smaller one of the compared groups would have by then. Of a ratio, only those with a denominator.",
    formula: "units that came × allocation × size of the group",
  },
  mean: { label: "Mean", text: "The mean of a unit by then, or the ratio of the sums.", formula: "sum ÷ units" },
  standardDeviation: {
    label: "Standard deviation",
    text: "How far a unit usually is from the mean.",
    formula: "√(Σ (value − mean)² ÷ (units − 1)); for ratios by the delta method",
    source: "Ratios: Deng, Knoblich, Lu 2018",
  },
  absoluteEffect: {
    label: "Smallest difference",
    text: "The smallest true difference of the means that would probably be found, in the unit of the metric.",
    formula: "(z(1 − α ÷ 2) + z(power)) × standard deviation × √(1 ÷ control units + 1 ÷ test units)",
    source: POWER_SOURCE,
  },
  absoluteSequentialEffect: {
    label: "Smallest difference for an earlier end",
    text: "The smallest true difference that the sequential test would probably find by then, if the experiment is planned to run longer.",
    formula: "(threshold of the sequential test + z(power)) × standard deviation × √(1 ÷ control units + 1 ÷ test units)",
    source: "After Zhao et al. 2018, as Statsig documents it",
  },
  sequentialEffect: {
    label: "Smallest change for an earlier end",
    text: "The same relative to the mean.",
    formula: "100 × smallest difference for an earlier end ÷ |mean|",
    source: "After Zhao et al. 2018, as Statsig documents it",
  },
  effect: {
    label: "Smallest change",
    text: "The same relative to the mean: smaller true changes would probably be missed.",
    formula: "100 × smallest difference ÷ |mean|",
    source: POWER_SOURCE,
  },
};

export const PREVIEW_MEANINGS: Readonly<Record<"value" | "row_count", Meaning>> = {
  value: {
    label: "Value",
    text: "The metric over the units of a day, from the events of that day alone. Windows and winsorization apply to results only.",
    formula: "as the type of the metric says: a sum, a mean, or one sum ÷ another",
  },
  row_count: { label: "Units", text: "How many units had an event of that day that the metric counts." },
};

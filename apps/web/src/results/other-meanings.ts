// The meanings of the numbers beside results: of health checks, monitored units, plans and previews. Pure.
import type { Schema } from "../api.ts";
import type { Meaning } from "./meaning.ts";

type CheckNumber = keyof Pick<Schema<"HealthCheckMetadata">, "chiSquare" | "pValue" | "crossoverPercent">;

export const CHECK_MEANINGS: Readonly<Record<CheckNumber, Meaning>> = {
  chiSquare: {
    label: "χ²",
    text: "How far the actual group sizes are from the planned ones. 0 is exactly as planned.",
    formula: "Σ (units − expected)² ÷ expected",
    source: "Pearson 1900",
  },
  pValue: {
    label: "p-value of the check",
    text: "The probability of a mismatch this large by chance, valid at any time. Below 0.001, something adds or loses units of a group, and the results are biased.",
    formula: "1 ÷ the Bayes factor of a Dirichlet prior worth 100 units, with its mean at the sizes, against the sizes",
    source: "Lindon, Malek 2022",
  },
  crossoverPercent: {
    label: "Crossover",
    text: "The share of units that saw more than one group. They’re excluded from results.",
    formula: "100 × units with several groups ÷ all units",
  },
};

export const BIAS_MEANING: Meaning = {
  label: "Smallest p-value before the exposure",
  text: "The probability of the largest difference by chance, in behavior before the exposure. Warns below 0.01 divided by the number of tests.",
  formula: "Welch’s test of the means before the first exposure",
  source: "Welch 1947. Bonferroni: Dunn 1961",
};

type CountedGroup = keyof Pick<Schema<"HealthCheckGroup">, "units" | "expectedUnits" | "crossoverPercent">;

export const GROUP_MEANINGS: Readonly<Record<CountedGroup, Meaning>> = {
  units: { label: "Units of the group", text: "Units that saw only this group." },
  expectedUnits: {
    label: "Expected units",
    text: "The number of units expected from the group’s size.",
    formula: "all units × size of the group ÷ sum of the sizes",
  },
  crossoverPercent: {
    label: "Crossover of the group",
    text: "The share of the group’s units that also saw another group.",
    formula: "100 × units with several groups ÷ units that saw this group",
  },
};

export const MONITORED_MEANINGS: Readonly<Record<keyof Schema<"MonitoredUnits">, Meaning>> = {
  pass: {
    label: "Units on this side",
    text: "Units that saw only this side, first within the phase. They’re the test group, or the held-out group.",
  },
  fail: {
    label: "Units on the other side",
    text: "Units that saw only the other side, first within the phase. They’re the group compared with.",
  },
  crossed: {
    label: "Units on both sides",
    text: "Units that saw both sides, now or before the phase. They’re excluded from results.",
    formula: "share: 100 × units on both sides ÷ all units",
  },
};

const POWER_SOURCE = "Kohavi, Tang, Xu 2020. Ratios: Deng, Knoblich, Lu 2018";

export const POWER_MEANINGS: Readonly<Record<Exclude<keyof Schema<"PowerDay">, "isForecast">, Meaning>> = {
  day: {
    label: "Day",
    text: "The length of the experiment, simulated on recent days. Later days are forecast with the recent number of new users per day, or the number you entered.",
  },
  unitsPerGroup: {
    label: "Users in the smallest group",
    text: "Units in the smaller group at that time. For ratios, only units with a denominator.",
    formula: "units that came × allocation × size of the group",
  },
  mean: { label: "Mean", text: "The mean per unit at that time, or the ratio of the sums.", formula: "sum ÷ units" },
  standardDeviation: {
    label: "Standard deviation",
    text: "How much units differ from the mean.",
    formula: "√(Σ (value − mean)² ÷ (units − 1)); for ratios by the delta method",
    source: "Ratios: Deng, Knoblich, Lu 2018",
  },
  absoluteEffect: {
    label: "Smallest detectable difference",
    text: "The smallest true difference of the means that can be detected, in the metric’s unit.",
    formula:
      "(z(1 − α ÷ 2) + z(power)) × standard deviation × √(1 ÷ control units + 1 ÷ test units); for proportions, the smallest difference that the score test detects with this power",
    source: POWER_SOURCE,
  },
  absoluteSequentialEffect: {
    label: "Smallest detectable difference for an early end",
    text: "The smallest true difference that the sequential test can detect at that time, if the experiment is planned to run longer.",
    formula:
      "(threshold of the sequential test + z(power)) × standard deviation × √(1 ÷ control units + 1 ÷ test units); for proportions, by the score test with that threshold",
    source: "After Zhao et al. 2018, as Statsig documents it",
  },
  sequentialEffect: {
    label: "Smallest detectable change for an early end",
    text: "The same, in percent of the mean.",
    formula: "100 × smallest difference for an earlier end ÷ |mean|",
    source: "After Zhao et al. 2018, as Statsig documents it",
  },
  effect: {
    label: "Smallest detectable change",
    text: "The same, in percent of the mean.",
    formula: "100 × smallest difference ÷ |mean|",
    source: POWER_SOURCE,
  },
};

export const PREVIEW_MEANINGS: Readonly<Record<"value" | "row_count", Meaning>> = {
  value: {
    label: "Value",
    text: "The metric on a single day. Windows and winsorization apply only to results.",
    formula: "as the type of the metric says: a sum, a mean, or one sum ÷ another",
  },
  row_count: { label: "Units", text: "Units with an event that the metric counts, on that day." },
};

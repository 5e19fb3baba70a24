// Explanations of the numbers of sequential tests. Pure.
import type { Meaning } from "./meaning.ts";

const WALD = "Wald 1945";
const SEQUENCE = "Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021";

export const SEQUENTIAL_MEANINGS = {
  "sprt.logLikelihoodRatio": {
    label: "Log likelihood ratio",
    text: "How much more probable the difference is with the effect that the test looks for than without one, as a logarithm. The test ends at either bound.",
    formula: "|Z| × θ − θ² ÷ 2, with Z = difference ÷ SE and θ = effect ÷ SE",
    source: WALD,
  },
  "sprt.upper": {
    label: "Upper bound",
    text: "From this ratio on, the effect is shown.",
    formula: "ln(power ÷ (α ÷ 2))",
    source: WALD,
  },
  "sprt.lower": {
    label: "Lower bound",
    text: "Down to this ratio, an effect of the size that the test looks for is ruled out.",
    formula: "ln((1 − power) ÷ (1 − α ÷ 2))",
    source: WALD,
  },
  "sprt.effect": {
    label: "Effect to detect",
    text: "The least effect of interest, in percent of the control mean. The experiment says it.",
  },
  "sprt.power": {
    label: "Power",
    text: "How likely such an effect is found, from 0 to 1.",
  },
  "confidenceSequence.confidenceIntervalDelta": {
    label: "Half width at all times",
    text: "The true difference is within this distance on all days together, also after the planned end. It decides no verdict.",
    formula: "SE × √n × √(2(nρ² + 1) ÷ (nρ)² × ln(√(nρ² + 1) ÷ α))",
    source: SEQUENCE,
  },
  "confidenceSequence.percentConfidenceIntervalDelta": {
    label: "Half width at all times, in percent",
    text: "The same relative to the control mean, as if that were known exactly.",
    formula: "100 × half width at all times ÷ |control mean|",
    source: SEQUENCE,
  },
  "confidenceSequence.percentInterval": {
    label: "Interval of the change at all times",
    text: "The true change is in it on all days together. It also counts that the control mean is uncertain.",
    formula: "as the interval of the change, with the half width at all times in standard errors in place of z",
    source: `Fieller 1954. Half width: ${SEQUENCE}`,
  },
  "confidenceSequence.pValue": {
    label: "p-value at all times",
    text: "A p-value that holds however often somebody looks.",
    formula: "min(1, √(nρ² + 1) × exp(−nρ² × Z² ÷ (2(nρ² + 1))))",
    source: SEQUENCE,
  },
  "confidenceSequence.narrowestUnits": {
    label: "Units at which it is narrowest",
    text: "With so many units of both groups, the interval at all times is narrowest compared with others.",
  },
} satisfies Record<string, Meaning>;

// Explanations of the numbers of sequential tests. Pure.
import type { Meaning } from "./meaning.ts";

const WALD = "Wald 1945";
const SEQUENCE = "Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021";

export const SEQUENTIAL_MEANINGS = {
  "sprt.logLikelihoodRatio": {
    label: "Log likelihood ratio",
    text: "The logarithm of how much likelier the data is with the effect than without it. The test ends at either bound.",
    formula: "|Z| × θ − θ² ÷ 2, with Z = difference ÷ SE and θ = effect ÷ SE",
    source: WALD,
  },
  "sprt.upper": {
    label: "Upper bound",
    text: "At this ratio or above, the effect is shown.",
    formula: "ln(power ÷ (α ÷ 2))",
    source: WALD,
  },
  "sprt.lower": {
    label: "Lower bound",
    text: "At this ratio or below, an effect of this size is ruled out.",
    formula: "ln((1 − power) ÷ (1 − α ÷ 2))",
    source: WALD,
  },
  "sprt.effect": {
    label: "Effect to detect",
    text: "The smallest effect that matters, in percent of the control mean. Set in the experiment.",
  },
  "sprt.power": {
    label: "Power",
    text: "The chance of detecting this effect, from 0 to 1.",
  },
  "confidenceSequence.confidenceIntervalDelta": {
    label: "Half width at all times",
    text: "The true difference stays within this distance at all times, even after the planned end. It’s not used for the verdict.",
    formula: "SE × √n × √(2(nρ² + 1) ÷ (nρ)² × ln(√(nρ² + 1) ÷ α))",
    source: SEQUENCE,
  },
  "confidenceSequence.percentConfidenceIntervalDelta": {
    label: "Half width at all times, in percent",
    text: "The same, in percent of the control mean.",
    formula: "100 × half width at all times ÷ |control mean|",
    source: SEQUENCE,
  },
  "confidenceSequence.percentInterval": {
    label: "Interval of the change at all times",
    text: "The range that contains the true change at all times. It takes into account that the control mean is uncertain.",
    formula: "as the interval of the change, with the half width at all times in standard errors in place of z",
    source: `Fieller 1954. Half width: ${SEQUENCE}`,
  },
  "confidenceSequence.pValue": {
    label: "p-value at all times",
    text: "A p-value that’s valid at any time.",
    formula: "min(1, √(nρ² + 1) × exp(−nρ² × Z² ÷ (2(nρ² + 1))))",
    source: SEQUENCE,
  },
  "confidenceSequence.narrowestUnits": {
    label: "Units at the narrowest point",
    text: "The number of units in both groups at which the interval is tuned to be narrowest.",
  },
} satisfies Record<string, Meaning>;

// What the numbers of guardrails and their alerts mean. Pure.
import type { Schema } from "../api.ts";
import type { Meaning } from "./meaning.ts";

type Finding = Schema<"GuardrailLook">;
export type GuardrailNumber = keyof Pick<Finding, "maxHarmPercent" | "percentChange" | "percentInterval" | "passingUnits" | "failingUnits">;

export const GUARDRAIL_MEANINGS: Readonly<Record<GuardrailNumber, Meaning>> = {
  maxHarmPercent: {
    label: "Guardrail",
    text: "How much worse the metric may be for units that pass, in percent of its value for those that fail. Worse is less, or more for a metric that is better the lower it is.",
  },
  percentChange: {
    label: "Change",
    text: "How the metric differs for the units that pass, relative to its size for those that fail, since the rule has its present pass percentage.",
    formula: "100 × (mean of passing − mean of failing) ÷ |mean of failing|",
    source: "Deng, Knoblich, Lu 2018",
  },
  percentInterval: {
    label: "Interval of the change",
    text: "It holds the true change with a probability of 95 % at all looks together, however often the server looks. So it is wider than that of a single look.",
    formula:
      "all r with (passing − r × failing)² ≤ c² × (SE passing² + r² × SE failing²), each less 1, with c the half width at all times in standard errors",
    source: "Fieller 1954. Half width: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021",
  },
  passingUnits: {
    label: "Units that pass",
    text: "The units that passed the rule and never failed it. Nothing is concluded from fewer than 100.",
  },
  failingUnits: {
    label: "Units that fail",
    text: "The units that failed the rule and never passed it. Nothing is concluded from fewer than 100.",
  },
};

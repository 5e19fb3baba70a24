// The meanings of the numbers of guardrails and alerts. Pure.
import type { Meaning } from "../results/meaning.ts";
import type { GuardedPart } from "./guardrail-words.ts";

export type GuardrailNumber = "maxHarmPercent" | "percentChange" | "percentInterval" | "testUnits" | "controlUnits";

type Sides = {
  /** The units of both sides, as sentences say it. */
  test: string;
  control: string;
  /** Both in a formula. */
  symbols: [string, string];
  since: string;
  units: Record<"testUnits" | "controlUnits", Meaning>;
};

function createMeanings({ test, control, symbols: [t, c], since, units }: Sides): Readonly<Record<GuardrailNumber, Meaning>> {
  return {
    maxHarmPercent: {
      label: "Guardrail",
      text: `How much worse the metric may be for ${test}, in percent of its value for ${control}. For a metric that should go down, worse means higher.`,
    },
    percentChange: {
      label: "Change",
      text: `The difference for ${test} compared to ${control}, in percent, since ${since}.`,
      formula: `100 × (mean of ${t} − mean of ${c}) ÷ |mean of ${c}|`,
      source: "Deng, Knoblich, Lu 2018",
    },
    percentInterval: {
      label: "Interval of the change",
      text: "A 95% confidence interval that stays valid over all hourly checks, so it’s wider than the interval of a single check.",
      formula: `all r with (${t} − r × ${c})² ≤ c² × (SE ${t}² + r² × SE ${c}²), each less 1, with c the half width at all times in standard errors`,
      source: "Fieller 1954. Half width: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021",
    },
    ...units,
  };
}

const FEW = "No alert is raised until there’s enough data.";

export const GUARDRAIL_MEANINGS: Readonly<Record<GuardedPart, Readonly<Record<GuardrailNumber, Meaning>>>> = {
  rule: createMeanings({
    test: "the units that pass",
    control: "those that fail",
    symbols: ["passing", "failing"],
    since: "the rule has its present pass percentage",
    units: {
      testUnits: { label: "Units that pass", text: `Units that passed the rule and never failed it. ${FEW}` },
      controlUnits: { label: "Units that fail", text: `Units that failed the rule and never passed it. ${FEW}` },
    },
  }),
  group: createMeanings({
    test: "the units of the group",
    control: "those of the control group",
    symbols: ["group", "control"],
    since: "the experiment started",
    units: {
      testUnits: { label: "Units of the group", text: `Units that saw only this group. ${FEW}` },
      controlUnits: { label: "Units of the control group", text: `Units that saw only the control group. ${FEW}` },
    },
  }),
};

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
      text: `How much worse the metric may be for ${test}, in percent of its value for ${control}. Worse is less, or more for a metric that is better the lower it is.`,
    },
    percentChange: {
      label: "Change",
      text: `How the metric differs for ${test}, relative to its size for ${control}, since ${since}.`,
      formula: `100 × (mean of ${t} − mean of ${c}) ÷ |mean of ${c}|`,
      source: "Deng, Knoblich, Lu 2018",
    },
    percentInterval: {
      label: "Interval of the change",
      text: "It holds the true change with a probability of 95 % at all checks together, however often the server checks. So it is wider than that of a single check.",
      formula: `all r with (${t} − r × ${c})² ≤ c² × (SE ${t}² + r² × SE ${c}²), each less 1, with c the half width at all times in standard errors`,
      source: "Fieller 1954. Half width: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021",
    },
    ...units,
  };
}

const FEW = "Without enough of them for a reliable verdict, no alert is raised.";

export const GUARDRAIL_MEANINGS: Readonly<Record<GuardedPart, Readonly<Record<GuardrailNumber, Meaning>>>> = {
  rule: createMeanings({
    test: "the units that pass",
    control: "those that fail",
    symbols: ["passing", "failing"],
    since: "the rule has its present pass percentage",
    units: {
      testUnits: { label: "Units that pass", text: `The units that passed the rule and never failed it. ${FEW}` },
      controlUnits: { label: "Units that fail", text: `The units that failed the rule and never passed it. ${FEW}` },
    },
  }),
  group: createMeanings({
    test: "the units of the group",
    control: "those of the control group",
    symbols: ["group", "control"],
    since: "the experiment started",
    units: {
      testUnits: { label: "Units of the group", text: `The units that saw the group and no other one. ${FEW}` },
      controlUnits: { label: "Units of the control group", text: `The units that saw the control group and no other one. ${FEW}` },
    },
  }),
};

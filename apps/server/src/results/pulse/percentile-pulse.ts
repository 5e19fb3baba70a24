import type { Schema } from "@gatehouse/contract/console";
import { estimatePercentiles, type FoundPercentile } from "./percentiles.ts";
import { type Answered, compareEstimates, type Numbers, type Question } from "./pulse-metric.ts";

type Asked = Omit<Question, "isRatio">;

/**
 * The numbers of a percentile for two groups.
 * @param confidence asked for before corrections, 0–1
 */
export function percentileNumbers(found: FoundPercentile, question: Asked, confidence: number): Answered {
  const { controlID, testID, isCupedAsked } = question;
  const [control, test] = [found.groups[controlID], found.groups[testID]];
  const estimates = estimatePercentiles(found, question, { isCupedAsked, confidence });
  const compared = compareEstimates(estimates, question);
  const numbers: Numbers = {
    ...{ controlUnits: control?.units ?? 0, testUnits: test?.units ?? 0 },
    ...(control && { controlMean: control.value }),
    ...(test && { testMean: test.value }),
    ...compared.numbers,
  };
  return { numbers, detect: compared.detect, estimates };
}

/** Counts the events that the percentiles are computed from. */
export function countEvents(
  { level, groups }: FoundPercentile,
  { controlID, testID }: Pick<Question, "controlID" | "testID">,
): Pick<Schema<"PulseMetric">, "percentile" | "controlEvents" | "testEvents"> {
  return { percentile: level, controlEvents: groups[controlID]?.events ?? 0, testEvents: groups[testID]?.events ?? 0 };
}

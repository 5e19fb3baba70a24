import type { Schema } from "@gatehouse/contract/console";
import type { Estimates } from "./estimates.ts";
import { type FoundPercentile, percentileEstimate } from "./percentiles.ts";
import { compareEstimates, type Numbers, type Question } from "./pulse-metric.ts";

type Asked = Omit<Question, "isRatio" | "isNormal">;

/**
 * The numbers of a percentile for two groups: the z test of the difference.
 * @param confidence asked for before corrections, 0–1: the errors of the groups are those of the stored interval nearest to it
 */
export function percentileNumbers(
  { groups }: FoundPercentile,
  question: Asked,
  confidence: number,
): { numbers: Numbers; estimates: Estimates } {
  const { controlID, testID, isCupedAsked } = question;
  const [control, test] = [groups[controlID], groups[testID]];
  const estimates: Estimates = {
    control: percentileEstimate(control, confidence),
    test: percentileEstimate(test, confidence),
    cuped: { reason: isCupedAsked ? "of_percentile" : "not_asked" },
  };
  const numbers: Numbers = {
    ...{ controlUnits: control?.units ?? 0, testUnits: test?.units ?? 0 },
    ...(control && { controlMean: control.value }),
    ...(test && { testMean: test.value }),
    ...compareEstimates(estimates, { ...question, isNormal: true }),
  };
  return { numbers, estimates };
}

/** Of how many events the percentiles are. */
export function countEvents(
  { level, groups }: FoundPercentile,
  { controlID, testID }: Pick<Question, "controlID" | "testID">,
): Pick<Schema<"PulseMetric">, "percentile" | "controlEvents" | "testEvents"> {
  return { percentile: level, controlEvents: groups[controlID]?.events ?? 0, testEvents: groups[testID]?.events ?? 0 };
}

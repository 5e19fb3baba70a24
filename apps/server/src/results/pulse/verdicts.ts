import type { Schema } from "@gatehouse/contract/console";
import { computePosterior, estimateLift, type Prior } from "@gatehouse/statistics";
import type { Estimates } from "./estimates.ts";
import { computeNumbers, type Numbers, type Question } from "./pulse-metric.ts";
import { reasonText } from "./reasons.ts";
import type { GroupSums } from "./sums.ts";

// Verdicts that do not come from the numbers as they are now.

/** The sums as of the planned end, and the day as of whose end they are. */
export type AtEnd = { groups: GroupSums; date: string };

/**
 * Numbers with the verdict of the planned end, by the test with a fixed horizon: the only look of which α is spent after those of the sequential
 * test. What follows is no further look.
 */
export function decidedAtEnd({ isSignificant: _, ...now }: Numbers, { groups, date }: AtEnd, question: Question): Numbers {
  const { isSignificant, verdict, absoluteChange, percentInterval, reason } = computeNumbers(groups, {
    ...question,
    isSequential: false,
  }).numbers;
  return {
    ...now,
    ...(isSignificant !== undefined && { isSignificant }),
    verdict: {
      ...(reason !== undefined && { reason }),
      ...verdict,
      ...{ test: "plannedEnd", date },
      ...(absoluteChange !== undefined && { absoluteChange }),
      ...(percentInterval && { percentInterval }),
    },
  };
}

type Belief = { alpha: number; prior: Prior | undefined; isDecreaseBetter: boolean; threshold: number };

/** What is believed of the relative change; undefined if there is no such change. */
export function computeBayesian(
  { control, test }: Estimates,
  { alpha, prior, isDecreaseBetter, threshold }: Belief,
): Schema<"PulseBayesian"> | undefined {
  if (!control.value || !test.value) return undefined;
  const lift = estimateLift(control.value, test.value, { confidence: 1 - alpha }).value;
  if (!lift || lift.standardError === 0) return undefined;
  const { mean, standardDeviation, chanceToBeat, interval, expectedLoss } = computePosterior(
    { effect: lift.lift, standardError: lift.standardError },
    { confidence: 1 - alpha, isDecreaseBetter, ...(prior && { prior }) },
  );
  return {
    mean: 100 * mean,
    standardDeviation: 100 * standardDeviation,
    chanceToBeat,
    chanceToBeatThreshold: threshold,
    decision: chanceToBeat >= threshold ? "test" : chanceToBeat <= 1 - threshold ? "control" : "open",
    lower: 100 * interval[0],
    upper: 100 * interval[1],
    expectedLoss: 100 * Math.max(0, expectedLoss.test),
    expectedLossOfControl: 100 * Math.max(0, expectedLoss.control),
  };
}

/** Numbers of a Bayesian experiment: its verdict is that of the belief, and no p-value decides. */
export function decidedByBelief(
  { isSignificant: _, verdict, ...numbers }: Numbers,
  bayesian: Schema<"PulseBayesian"> | undefined,
): Numbers {
  if (!verdict) return numbers;
  if (verdict.test === "sprt") return { ...numbers, verdict };
  const { withheld, missing, reason } = verdict;
  const lack = withheld && { withheld, ...(missing !== undefined && { missing }), ...(reason !== undefined && { reason }) };
  if (!bayesian) return { ...numbers, verdict: { test: "bayesian", ...(lack ?? { reason: reasonText("control_mean_zero") }) } };
  return { ...numbers, ...(!lack && { isSignificant: bayesian.decision !== "open" }), verdict: { test: "bayesian", ...lack } };
}

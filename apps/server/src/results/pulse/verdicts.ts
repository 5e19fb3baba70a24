import type { Schema } from "@gatehouse/contract/console";
import { computePosterior, detectableBelief, estimateLift, normalQuantile, type Prior } from "@gatehouse/statistics";
import type { Estimates } from "./estimates.ts";
import {
  type Answered,
  type Compared,
  computeNumbers,
  type Detect,
  detectableNumbers,
  type Numbers,
  type Question,
  USUAL_POWER,
} from "./pulse-metric.ts";
import { reasonText } from "./reasons.ts";
import type { GroupSums } from "./sums.ts";

// Verdicts that do not come from the numbers as they are now.

/** The sums as of the planned end, and the day as of whose end they are. */
export type AtEnd = { groups: GroupSums; date: string };

/**
 * Numbers with the verdict of the planned end, by the test with a fixed horizon: the only look that uses α after those of the sequential
 * test. Later results are not further looks.
 */
export function decidedAtEnd(before: Numbers, { groups, date }: AtEnd, question: Question): Compared {
  const { isSignificant: _, minimumDetectableEffect: __, percentMinimumDetectableEffect: ___, ...now } = before;
  const atEnd = computeNumbers(groups, { ...question, isSequential: false });
  const { isSignificant, verdict, absoluteChange, percentInterval, reason } = atEnd.numbers;
  const numbers: Numbers = {
    ...now,
    ...detectableNumbers(atEnd.detect, atEnd.numbers.controlMean ?? 0),
    ...(isSignificant !== undefined && { isSignificant }),
    verdict: {
      ...(reason !== undefined && { reason }),
      ...verdict,
      ...{ test: "plannedEnd", date },
      ...(absoluteChange !== undefined && { absoluteChange }),
      ...(percentInterval && { percentInterval }),
    },
  };
  return { numbers, detect: atEnd.detect && { ...atEnd.detect, size: () => atEnd.detect?.size({ growth: 1 }) } };
}

export type Belief = { alpha: number; prior: Prior | undefined; isDecreaseBetter: boolean; threshold: number };

/** The posterior belief about the relative change; undefined without a relative change. */
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

/** The result of a Bayesian experiment: its verdict is that of the belief, regardless of p-values. */
export function decidedByBelief(answered: Answered, bayesian: Schema<"PulseBayesian"> | undefined, belief: Belief): Compared {
  const { isSignificant: _, verdict, minimumDetectableEffect: __, percentMinimumDetectableEffect: ___, ...numbers } = answered.numbers;
  if (!verdict || verdict.test === "sprt") return answered;
  const { withheld, missing, reason } = verdict;
  const lack = withheld && { withheld, ...(missing !== undefined && { missing }), ...(reason !== undefined && { reason }) };
  if (!bayesian)
    return { numbers: { ...numbers, verdict: { test: "bayesian", ...(lack ?? { reason: reasonText("control_mean_zero") }) } } };
  if (lack) return { numbers: { ...numbers, verdict: { test: "bayesian", ...lack } } };
  const detect = detectByBelief(answered.estimates, belief);
  return {
    numbers: {
      ...numbers,
      ...{ isSignificant: bayesian.decision !== "open", verdict: { test: "bayesian" } },
      ...detectableNumbers(detect, numbers.controlMean ?? 0),
    },
    detect,
  };
}

/** The effects that bring the chance to beat to the threshold. */
function detectByBelief({ control, test }: Estimates, { prior, isDecreaseBetter, threshold }: Belief): Detect | undefined {
  const lift = control.value && test.value && estimateLift(control.value, test.value, { confidence: threshold }).value;
  if (!lift || !control.value) return undefined;
  const size = Math.abs(control.value.mean);
  const given = { z: normalQuantile(threshold), power: USUAL_POWER, isDecreaseBetter, ...(prior && { prior }) };
  return {
    power: USUAL_POWER,
    size: ({ growth }) => {
      const share = detectableBelief(lift.standardError / Math.sqrt(growth), given);
      return share === undefined ? undefined : size * share;
    },
  };
}

import type { Schema } from "@gatehouse/contract/console";
import {
  computePosterior,
  type Difference,
  type Estimate,
  estimateDifference,
  estimateLift,
  mixtureTest,
  type Prior,
  testDifference,
} from "@gatehouse/statistics";
import { type Estimates, estimateGroups } from "./estimates.ts";
import { NOT_USED, reasonText } from "./reasons.ts";
import { computeSprt, type SprtPlan } from "./sequential-tests.ts";
import { type GroupSums, NOTHING } from "./sums.ts";

type PulseMetric = Schema<"PulseMetric">;
type PulseNumbers = Schema<"PulseNumbers">;

/** Which groups are compared, by their ids. */
export type Groups = { controlID: string; testID: string };

export type Question = Groups & {
  isRatio: boolean;
  isCupedAsked: boolean;
  /** The chance of a false positive, after corrections. */
  alpha: number;
  /** Whether somebody may look before the planned end. */
  isSequential: boolean;
  /** Whether chance is normal with however few units. */
  isNormal?: boolean;
  /** What the sequential probability ratio test, which then decides, is planned for. */
  sprt?: SprtPlan | undefined;
};

/** What a comparison is decided by. */
export type Comparison = Pick<Question, "alpha" | "isSequential" | "isNormal" | "sprt">;

export type Numbers = PulseNumbers & Pick<PulseMetric, "isSignificant" | "percentInterval" | "reason" | "sprt">;

/** The numbers of a metric for two groups. Those that do not exist are absent. */
export function computeNumbers(groups: GroupSums, question: Question): { numbers: Numbers; estimates: Estimates } {
  const { controlID, testID, isRatio, isCupedAsked } = question;
  const [control, test] = [groups[controlID] ?? NOTHING, groups[testID] ?? NOTHING];
  const others = Object.entries(groups).flatMap(([id, sums]) => (id === controlID || id === testID ? [] : [sums]));
  const estimates = estimateGroups({ control, test, others, isRatio }, isCupedAsked);
  const units = { controlUnits: isRatio ? control.k : control.n, testUnits: isRatio ? test.k : test.n };
  return { numbers: { ...units, ...compareEstimates(estimates, question) }, estimates };
}

/** The p-value of the difference of two groups; undefined if there is none. */
export function computePValue(groups: GroupSums, question: Omit<Question, "alpha" | "isSequential" | "sprt">): number | undefined {
  const { numbers } = computeNumbers(groups, { ...question, alpha: 0.05, isSequential: false });
  return numbers.pValue;
}

/** What the estimates of two groups say of their difference. */
export function compareEstimates({ control, test }: Estimates, question: Comparison): Numbers {
  const means = { ...meanNumbers("control", control.value), ...meanNumbers("test", test.value) };
  if (!control.value) return { ...means, reason: reasonText(control.reason, "control") };
  if (!test.value) return { ...means, reason: reasonText(test.reason, "test") };
  const difference = estimateDifference(control.value, test.value);
  if (!difference.value) return { ...means, reason: reasonText(difference.reason) };
  return { ...means, ...compared(control.value, test.value, difference.value, question) };
}

function meanNumbers(group: "control" | "test", estimate: Estimate | undefined): Numbers {
  return estimate ? { [`${group}Mean`]: estimate.mean, [`${group}Std`]: estimate.standardError } : {};
}

function compared(control: Estimate, test: Estimate, difference: Difference, question: Comparison): Numbers {
  const { alpha, isSequential, isNormal, sprt: plan } = question;
  const tested = testDifference(difference, { confidence: 1 - alpha, ...(isNormal && { distribution: "normal" }) });
  const { delta, p, interval } = tested;
  const sprt = plan && computeSprt({ control, test, tested }, plan, alpha);
  const halfWidth = (interval[1] - interval[0]) / 2;
  const lift = estimateLift(control, test, { confidence: 1 - alpha }).value;
  const toPercent = (difference: number) => (100 * difference) / Math.abs(control.mean);
  const isDecided = sprt?.decision !== undefined;
  const sequential = isSequential && !isDecided ? mixtureTest(control, test, delta, { alpha }) : undefined;
  return {
    absoluteChange: delta,
    confidenceIntervalDelta: halfWidth,
    pValue: p,
    isSignificant: isDecided ? sprt.decision === "significant" : (sequential?.p ?? p) <= alpha,
    ...(sprt && { sprt }),
    ...(sequential && { sequentialTestingConfidenceIntervalDelta: sequential.halfWidth }),
    ...(lift && {
      percentChange: 100 * lift.lift,
      percentConfidenceIntervalDelta: toPercent(halfWidth),
      ...(sequential && { percentSequentialTestingConfidenceIntervalDelta: toPercent(sequential.halfWidth) }),
      ...(lift.fieller.value && { percentInterval: lift.fieller.value.map((bound) => 100 * bound) }),
    }),
  };
}

/** What was really summed, and divided by. */
export function toTotals(groups: GroupSums, { controlID, testID, isRatio }: Pick<Question, "controlID" | "testID" | "isRatio">) {
  const [control, test] = [groups[controlID] ?? NOTHING, groups[testID] ?? NOTHING];
  return {
    controlTotal: control.y,
    testTotal: test.y,
    ...(isRatio && { controlDenominator: control.d, testDenominator: test.d }),
  };
}

export function toCuped({ cuped: { varianceReduction, reason } }: Estimates): Schema<"PulseCuped"> {
  return reason === undefined ? { isUsed: true, varianceReduction } : { isUsed: false, reason: NOT_USED[reason] };
}

type Belief = { alpha: number; prior: Prior | undefined; isDecreaseBetter: boolean };

/** What is believed of the relative change; undefined if there is no such change. */
export function computeBayesian(
  { control, test }: Estimates,
  { alpha, prior, isDecreaseBetter }: Belief,
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
    lower: 100 * interval[0],
    upper: 100 * interval[1],
    expectedLoss: 100 * Math.max(0, expectedLoss.test),
  };
}

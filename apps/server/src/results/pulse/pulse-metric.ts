import type { Schema } from "@gatehouse/contract/console";
import {
  type Comparison,
  type Estimate,
  type Interval,
  normalCdf,
  normalQuantile,
  sequentialPValue,
  sequentialThreshold,
} from "@gatehouse/statistics";
import { type Adjusting, adjustEstimates } from "./adjustment.ts";
import { areProportions, type Estimates, estimateGroups } from "./estimates.ts";
import { lackText, NOT_USED, reasonText } from "./reasons.ts";
import { computeSprt, type SprtPlan, sprtCriticalValue } from "./sequential-tests.ts";
import { totalOf } from "./sum-moments.ts";
import { type GroupSums, NOTHING } from "./sums.ts";
import { againstNull, describePlan, directionOf, isOneSided, levelOf, type TestPlan } from "./test-plan.ts";

type PulseMetric = Schema<"PulseMetric">;
type PulseNumbers = Schema<"PulseNumbers">;
type Verdict = Schema<"PulseVerdict">;

/** The ids of the compared groups. */
export type Groups = { controlID: string; testID: string };

export type Question = Groups & {
  isRatio: boolean;
  isCupedAsked: boolean;
  /** The chance of a false positive, after corrections. */
  alpha: number;
  /** Whether there may be looks before the planned end. */
  isSequential: boolean;
  /** The plan of the sequential probability ratio test. If present, it decides. */
  sprt?: SprtPlan | undefined;
  /** Whether the metric is to differ, to be better, or not to be worse. */
  plan: TestPlan;
  isDecreaseBetter: boolean;
  /** The adjustment that the experiment asks for. */
  adjusting?: Adjusting | undefined;
};

/** The parameters that decide a comparison. */
export type Decision = Pick<Question, "alpha" | "isSequential" | "sprt" | "plan" | "isDecreaseBetter">;

export type Numbers = PulseNumbers & Pick<PulseMetric, "isSignificant" | "reason" | "sprt" | "verdict">;

/** The effect that a test finds with a number of times as many units; undefined if it finds none. */
export type Detect = {
  power: number;
  /** The size of the change of the mean. By the test with a fixed horizon, or the one that decides now. */
  size(given: { growth: number; isFixed?: boolean }): number | undefined;
};

/** The result for two groups: numbers, and the effects that their test finds once it has a verdict. */
export type Compared = { numbers: Numbers; detect?: Detect | undefined };

export type Answered = Compared & { estimates: Estimates };

/** The chance to find an effect that results count with. Sequential probability ratio tests have their own. */
export const USUAL_POWER = 0.8;

/** The numbers of a metric for two groups. Missing numbers are absent. */
export function computeNumbers(groups: GroupSums, question: Question): Answered {
  const { controlID, testID, isRatio } = question;
  const [control, test] = [groups[controlID] ?? NOTHING, groups[testID] ?? NOTHING];
  const others = Object.entries(groups).flatMap(([id, sums]) => (id === controlID || id === testID ? [] : [sums]));
  const { plan, alpha, isCupedAsked, adjusting } = question;
  const given = { isCupedAsked, alpha, isOneSided: isOneSided(plan) };
  const compared = { control, test, others, isRatio };
  const plain = estimateGroups(compared, given);
  const estimates = adjusting ? adjustEstimates(plain, compared, adjusting, { ...given, controlID, testID }) : plain;
  const units = { controlUnits: isRatio ? control.k : control.n, testUnits: isRatio ? test.k : test.n };
  const { numbers, detect } = compareEstimates(estimates, question);
  return { numbers: { ...units, ...numbers }, detect, estimates };
}

/** Compares the estimates of two groups. */
export function compareEstimates(estimates: Estimates, decision: Decision): Compared {
  const { control, test, comparison } = estimates;
  const means = { ...meanNumbers("control", control.value), ...meanNumbers("test", test.value) };
  const without = (reason: string) => ({ numbers: { ...means, reason } });
  if (!control.value) return without(reasonText(control.reason, "control"));
  if (!test.value) return without(reasonText(test.reason, "test"));
  if (!comparison.value) return without(reasonText(comparison.reason));
  const judged = againstNull(comparison.value, decision.plan, decision.isDecreaseBetter);
  if (!judged.value) return without(reasonText(judged.reason));
  const { numbers, detect } = compared(control.value, test.value, judged.value, estimates, decision);
  return { numbers: { ...means, ...numbers }, detect };
}

function meanNumbers(group: "control" | "test", estimate: Estimate | undefined): Numbers {
  return estimate ? { [`${group}Mean`]: estimate.mean, [`${group}Std`]: estimate.standardError } : {};
}

/** @param comparison against the null hypothesis of the plan */
function compared(control: Estimate, test: Estimate, comparison: Comparison, estimates: Estimates, decision: Decision): Compared {
  const { alpha, plan } = decision;
  const { delta } = comparison;
  const decided = decide(control, test, comparison, decision);
  const { fixedZ, threshold, sprt, isCalled } = decided;
  const fixed = toIntervals(comparison, fixedZ, control);
  const sequential = threshold === undefined ? undefined : toIntervals(comparison, threshold, control);
  const lack = estimates.lack(alpha);
  const detect = lack ? undefined : toDetect(control, test, comparison, decided, decision);
  const verdict: Verdict = {
    test: sprt?.decision !== undefined ? "sprt" : sequential ? "sequential" : "fixed",
    ...describePlan(plan),
    ...(decided.decidingP !== undefined && { pValue: decided.decidingP }),
    ...(lack && { withheld: lack.reason, ...(lack.missing && { missing: lack.missing }), reason: lackText(lack) }),
  };
  const numbers: Numbers = {
    absoluteChange: delta,
    confidenceIntervalDelta: fixed.delta,
    absoluteInterval: [...fixed.absolute],
    pValue: decided.p,
    ...(!lack && { isSignificant: isCalled }),
    verdict,
    ...(sprt && { sprt }),
    ...(sequential && { sequentialTestingConfidenceIntervalDelta: sequential.delta }),
    ...(control.mean !== 0 && {
      percentChange: (100 * delta) / Math.abs(control.mean),
      percentConfidenceIntervalDelta: fixed.percentDelta,
      ...(sequential && { percentSequentialTestingConfidenceIntervalDelta: sequential.percentDelta }),
      ...(fixed.percent && { percentInterval: fixed.percent }),
      ...(sequential?.percent && { sequentialPercentInterval: sequential.percent }),
    }),
    ...detectableNumbers(detect, control.mean),
  };
  return { numbers, detect };
}

/** The test that decides, and its decision. */
function decide(control: Estimate, test: Estimate, comparison: Comparison, decision: Decision) {
  const { alpha, isSequential, sprt: sprtPlan, plan, isDecreaseBetter } = decision;
  const { deviate, groups } = comparison;
  const level = levelOf(plan, alpha);
  const fixedZ = -normalQuantile(level / 2);
  // How strongly the data support the hypothesis: in either direction, or in the desired one.
  const evidence = isOneSided(plan) ? (isDecreaseBetter ? -deviate : deviate) : Math.abs(deviate);
  const p = isOneSided(plan) ? normalCdf(-evidence) : comparison.p;
  const sprt = sprtPlan && computeSprt({ control, test, comparison }, sprtPlan, alpha);
  const known = { fixedZ, p, sprt };
  if (sprt?.decision !== undefined)
    return { ...known, threshold: undefined, decidingP: undefined, isCalled: sprt.decision === "significant" };
  if (!isSequential) return { ...known, threshold: undefined, decidingP: p, isCalled: p <= alpha };
  const threshold = sequentialThreshold(...groups, { alpha: level });
  const twoSided = sequentialPValue(...groups, deviate);
  const decidingP = isOneSided(plan) ? (evidence > 0 ? twoSided / 2 : 1) : twoSided;
  return { ...known, threshold, decidingP, isCalled: evidence >= threshold };
}

/** The effects that the deciding test finds. */
function toDetect(
  control: Estimate,
  test: Estimate,
  comparison: Comparison,
  { fixedZ, threshold, sprt }: ReturnType<typeof decide>,
  { plan, isDecreaseBetter, sprt: sprtPlan, alpha }: Decision,
): Detect {
  const isSprt = sprtPlan !== undefined && sprt?.decision !== undefined;
  const power = isSprt ? sprtPlan.power : USUAL_POWER;
  const direction = directionOf(plan, isDecreaseBetter);
  return {
    power,
    size: ({ growth, isFixed = false }) => {
      const z = isFixed ? fixedZ : isSprt ? sprtCriticalValue({ control, test }, sprtPlan, { alpha, growth }) : (threshold ?? fixedZ);
      return comparison.detectable({ z, power, direction, growth });
    },
  };
}

/** The smallest effect that is found with the units so far. */
export function detectableNumbers(detect: Detect | undefined, controlMean: number): Numbers {
  const size = detect?.size({ growth: 1 });
  if (size === undefined) return {};
  return {
    minimumDetectableEffect: size,
    ...(controlMean !== 0 && { percentMinimumDetectableEffect: (100 * size) / Math.abs(controlMean) }),
  };
}

/** The intervals of a comparison with a critical value. */
function toIntervals(comparison: Comparison, z: number, { mean }: Estimate) {
  const absolute = comparison.interval(z);
  const delta = reachTowardZero(comparison.delta, absolute);
  const percent = comparison.liftInterval(z).value?.map((bound) => 100 * bound);
  return { absolute, delta, percentDelta: (100 * delta) / Math.abs(mean), percent };
}

/** How far an interval reaches from its estimate in the direction of 0: half its width if it is symmetric. */
const reachTowardZero = (estimate: number, [lower, upper]: Interval): number => (estimate < 0 ? upper - estimate : estimate - lower);

/** The actual sums and divisors. */
export function toTotals(groups: GroupSums, { controlID, testID, isRatio }: Pick<Question, "controlID" | "testID" | "isRatio">) {
  const [control, test] = [groups[controlID] ?? NOTHING, groups[testID] ?? NOTHING];
  return {
    controlTotal: totalOf(control),
    testTotal: totalOf(test),
    ...(!isRatio && areProportions(control, test) && { isProportion: true }),
    ...(isRatio && { controlDenominator: control.d, testDenominator: test.d }),
  };
}

export function toCuped({ cuped: { varianceReduction, reason } }: Estimates): Schema<"PulseCuped"> {
  return reason === undefined ? { isUsed: true, varianceReduction } : { isUsed: false, reason: NOT_USED[reason] };
}

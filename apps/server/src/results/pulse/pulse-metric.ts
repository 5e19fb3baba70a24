import type { Schema } from "@gatehouse/contract/console";
import {
  type Comparison,
  type Estimate,
  type Interval,
  normalQuantile,
  sequentialPValue,
  sequentialThreshold,
} from "@gatehouse/statistics";
import { type Estimates, estimateGroups } from "./estimates.ts";
import { lackText, NOT_USED, reasonText } from "./reasons.ts";
import { computeSprt, type SprtPlan } from "./sequential-tests.ts";
import { totalOf } from "./sum-moments.ts";
import { type GroupSums, NOTHING } from "./sums.ts";

type PulseMetric = Schema<"PulseMetric">;
type PulseNumbers = Schema<"PulseNumbers">;
type Verdict = Schema<"PulseVerdict">;

/** Which groups are compared, by their ids. */
export type Groups = { controlID: string; testID: string };

export type Question = Groups & {
  isRatio: boolean;
  isCupedAsked: boolean;
  /** The chance of a false positive, after corrections. */
  alpha: number;
  /** Whether somebody may look before the planned end. */
  isSequential: boolean;
  /** What the sequential probability ratio test, which then decides, is planned for. */
  sprt?: SprtPlan | undefined;
};

/** What a comparison is decided by. */
export type Decision = Pick<Question, "alpha" | "isSequential" | "sprt">;

export type Numbers = PulseNumbers & Pick<PulseMetric, "isSignificant" | "reason" | "sprt" | "verdict">;

/** The numbers of a metric for two groups. Those that do not exist are absent. */
export function computeNumbers(groups: GroupSums, question: Question): { numbers: Numbers; estimates: Estimates } {
  const { controlID, testID, isRatio } = question;
  const [control, test] = [groups[controlID] ?? NOTHING, groups[testID] ?? NOTHING];
  const others = Object.entries(groups).flatMap(([id, sums]) => (id === controlID || id === testID ? [] : [sums]));
  const estimates = estimateGroups({ control, test, others, isRatio }, question);
  const units = { controlUnits: isRatio ? control.k : control.n, testUnits: isRatio ? test.k : test.n };
  return { numbers: { ...units, ...compareEstimates(estimates, question) }, estimates };
}

/** What the estimates of two groups say of their difference. */
export function compareEstimates(estimates: Estimates, decision: Decision): Numbers {
  const { control, test, comparison } = estimates;
  const means = { ...meanNumbers("control", control.value), ...meanNumbers("test", test.value) };
  if (!control.value) return { ...means, reason: reasonText(control.reason, "control") };
  if (!test.value) return { ...means, reason: reasonText(test.reason, "test") };
  if (!comparison.value) return { ...means, reason: reasonText(comparison.reason) };
  return { ...means, ...compared(control.value, test.value, comparison.value, estimates, decision) };
}

function meanNumbers(group: "control" | "test", estimate: Estimate | undefined): Numbers {
  return estimate ? { [`${group}Mean`]: estimate.mean, [`${group}Std`]: estimate.standardError } : {};
}

function compared(control: Estimate, test: Estimate, comparison: Comparison, estimates: Estimates, decision: Decision): Numbers {
  const { alpha, isSequential, sprt: plan } = decision;
  const { delta, p } = comparison;
  const sprt = plan && computeSprt({ control, test, comparison }, plan, alpha);
  const isDecided = sprt?.decision !== undefined;
  const threshold = isSequential && !isDecided ? sequentialThreshold(...comparison.groups, { alpha }) : undefined;
  const fixed = toIntervals(comparison, -normalQuantile(alpha / 2), control);
  const sequential = threshold === undefined ? undefined : toIntervals(comparison, threshold, control);
  const decidingP = sequential ? sequentialPValue(...comparison.groups, comparison.deviate) : p;
  const isCalled = isDecided ? sprt.decision === "significant" : sequential ? Math.abs(comparison.deviate) >= (threshold ?? 0) : p <= alpha;
  const lack = estimates.lack(alpha);
  const verdict: Verdict = {
    test: isDecided ? "sprt" : sequential ? "sequential" : "fixed",
    ...(!isDecided && { pValue: decidingP }),
    ...(lack && { withheld: lack.reason, ...(lack.missing && { missing: lack.missing }), reason: lackText(lack) }),
  };
  return {
    absoluteChange: delta,
    confidenceIntervalDelta: fixed.delta,
    absoluteInterval: [...fixed.absolute],
    pValue: p,
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

/** What was really summed, and divided by. */
export function toTotals(groups: GroupSums, { controlID, testID, isRatio }: Pick<Question, "controlID" | "testID" | "isRatio">) {
  const [control, test] = [groups[controlID] ?? NOTHING, groups[testID] ?? NOTHING];
  return {
    controlTotal: totalOf(control),
    testTotal: totalOf(test),
    ...(isRatio && { controlDenominator: control.d, testDenominator: test.d }),
  };
}

export function toCuped({ cuped: { varianceReduction, reason } }: Estimates): Schema<"PulseCuped"> {
  return reason === undefined ? { isUsed: true, varianceReduction } : { isUsed: false, reason: NOT_USED[reason] };
}

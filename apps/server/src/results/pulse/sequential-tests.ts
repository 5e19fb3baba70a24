import type { Schema } from "@gatehouse/contract/console";
import { type Comparison, confidenceSequence, type Estimate, sprt } from "@gatehouse/statistics";
import type { Estimates } from "./estimates.ts";
import { reasonText } from "./reasons.ts";

/** The plan of a sequential probability ratio test. */
export type SprtPlan = {
  /** The least effect of interest, as a share of the mean; undefined if it is not set. */
  effect: number | undefined;
  /** 1 − β. */
  power: number;
  /** Mean and standard deviation of a unit; those of the control group if undefined. */
  baseline: { mean: number; standardDeviation: number } | undefined;
};

/** From here on, a significant decision lies outside the interval of the test with a fixed horizon: √(2 ln(2 · power / α)) > z. */
const LEAST_POWER = 0.5;

/**
 * The test of a difference against an effect, α in both directions together. Few units count by Student's distribution: as much as the normal
 * number of standard errors that has the same p-value.
 */
export function computeSprt(
  { control, test, comparison }: { control: Estimate; test: Estimate; comparison: Comparison },
  { effect: share, power, baseline }: SprtPlan,
  alpha: number,
): Schema<"PulseSprt"> {
  const { mean, standardDeviation } = baseline ?? { mean: control.mean, standardDeviation: Math.sqrt(control.variance) };
  if (!share) return { reason: "Nothing says how large an effect to look for: name the metric with its `hypothesizedValue`." };
  if (!(power >= LEAST_POWER && power < 1))
    return { reason: "The power of the experiment, `defaultSPRTPowerParam`, is not from 0.5 to 1." };
  if (mean === 0) return { reason: reasonText("control_mean_zero") };
  if (!(standardDeviation > 0)) return { reason: "The units of the control group have no variance." };
  const { decision, logLikelihoodRatio, upper, lower } = sprt(
    { statistic: comparison.deviate, controlUnits: control.units, testUnits: test.units },
    { effect: Math.abs((share * mean) / standardDeviation), alpha: alpha / 2, beta: 1 - power },
  );
  const of = baseline ? "manual" : "in_experiment_control";
  return { decision, logLikelihoodRatio, upper, lower, effect: Math.abs(100 * share), power, baseline: of };
}

/** The least α at which the test calls the difference significant: 2 · power / e^ratio, at most 1. Source: Wald 1945, solved for α. */
export function sprtPValue({ logLikelihoodRatio = Number.NEGATIVE_INFINITY, power = 1 }: Schema<"PulseSprt">): number {
  return Math.min(1, 2 * power * Math.exp(-logLikelihoodRatio));
}

/**
 * How many standard errors the test calls significant: |Z|θ − θ²/2 ≥ ln(power/(α/2)), solved for |Z|.
 * @param growth how many times as many units both groups have
 */
export function sprtCriticalValue(
  { control, test }: { control: Estimate; test: Estimate },
  { effect = 0, power, baseline }: SprtPlan,
  { alpha, growth }: { alpha: number; growth: number },
): number {
  const { mean, standardDeviation } = baseline ?? { mean: control.mean, standardDeviation: Math.sqrt(control.variance) };
  const theta = Math.abs((effect * mean) / standardDeviation) * Math.sqrt(growth / (1 / control.units + 1 / test.units));
  return Math.log(power / (alpha / 2)) / theta + theta / 2;
}

/** The number of units where the sequence is narrowest, unless a plan sets it. */
const USUAL_UNITS = 5_000;

/** The interval of a difference that holds on all days together; undefined without a difference. */
export function computeSequence(
  { control, test, comparison: { value: comparison } }: Estimates,
  { alpha, narrowestUnits = USUAL_UNITS }: { alpha: number; narrowestUnits: number | undefined },
): Schema<"PulseConfidenceSequence"> | undefined {
  if (!control.value || !test.value || !comparison) return undefined;
  const n = control.value.units + test.value.units;
  const { halfWidth: reach, p } = confidenceSequence({ delta: comparison.deviate, standardError: 1, n }, { alpha, tuning: narrowestUnits });
  const [lower, upper] = comparison.interval(reach);
  const halfWidth = comparison.delta < 0 ? upper - comparison.delta : comparison.delta - lower;
  const size = Math.abs(control.value.mean);
  const percent = size > 0 ? comparison.liftInterval(reach).value : undefined;
  return {
    confidenceIntervalDelta: halfWidth,
    ...(size > 0 && { percentConfidenceIntervalDelta: (100 * halfWidth) / size }),
    ...(percent && { percentInterval: percent.map((bound) => 100 * bound) }),
    pValue: p,
    narrowestUnits,
  };
}

import type { Schema } from "@gatehouse/contract/console";
import { type Corrections, correctionOf } from "./alphas.ts";

type Compared = Pick<Schema<"PulseMetric">, "alpha" | "isSignificant" | "verdict">;

/**
 * How many of the metrics would be called by chance if none differed: the sum of their α, whether or not they depend on each other. Undefined
 * for fewer than two, and where α follows from the p-values.
 */
export function expectedByChance(metrics: readonly Compared[], corrections: Corrections): Schema<"PulseChance"> | undefined {
  const correction = correctionOf(corrections);
  if (correction === "holm" || correction === "benjaminiHochberg") return undefined;
  const decided = metrics.filter(({ isSignificant, verdict }) => isSignificant !== undefined && verdict?.pValue !== undefined);
  if (decided.length < 2) return undefined;
  return { comparisons: decided.length, expected: decided.reduce((sum, { alpha = 0 }) => sum + alpha, 0) };
}

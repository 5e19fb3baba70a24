import type { Schema } from "@gatehouse/contract/console";
import type { Corrections } from "./alphas.ts";

type Compared = Pick<Schema<"PulseMetric">, "alpha" | "isSignificant" | "verdict">;

/**
 * How many of the metrics would be called by chance if none differed: the sum of their α, whether or not they depend on each other. Undefined
 * for fewer than two, and where α follows from the p-values.
 */
export function expectedByChance(metrics: readonly Compared[], corrections: Corrections): Schema<"PulseChance"> | undefined {
  const { bonferroniPerMetric, bonferroniPerVariant, benjaminiHochbergPerMetric, benjaminiHochbergPerVariant } = corrections;
  const isBonferroni = bonferroniPerMetric || bonferroniPerVariant;
  if (!isBonferroni && (benjaminiHochbergPerMetric || benjaminiHochbergPerVariant)) return undefined;
  const decided = metrics.filter(({ isSignificant, verdict }) => isSignificant !== undefined && verdict?.pValue !== undefined);
  if (decided.length < 2) return undefined;
  return { comparisons: decided.length, expected: decided.reduce((sum, { alpha = 0 }) => sum + alpha, 0) };
}

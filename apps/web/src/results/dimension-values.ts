// Results by dimension, in words. Pure.

import type { Schema } from "../api.ts";
import type { Option } from "../ui/choice.tsx";
import { formatNumber } from "../ui/number-text.ts";
import { numberText, type PulseMetric } from "./verdicts.ts";

type Result = Schema<"PulseDimensionResult">;

/** Values are quoted, so that none reads like the name for other units. */
export function valueName({ kind, dimension_value, otherValues = 0 }: Pick<Result, "kind" | "dimension_value" | "otherValues">): string {
  if (kind === "none") return "units without a value";
  if (kind === "others") return otherValues === 1 ? "1 other value" : `${formatNumber(otherValues)} other values`;
  return `“${dimension_value}”`;
}

/** The results as metrics that are called as their values. */
export function toRows(results: readonly Result[]): PulseMetric[] {
  return results.map((result) => ({
    ...result.metric,
    metricID: `${result.kind} ${result.dimension_value}`,
    metricName: valueName(result),
  }));
}

/** At which α the values are compared. */
export function alphaText(results: readonly Result[]): string | undefined {
  const alpha = results[0]?.metric.alpha;
  if (alpha === undefined) return undefined;
  if (results.length === 1) return `α is ${numberText(alpha)}.`;
  return `Comparing more values makes false positives more likely. So each of the ${results.length} rows uses α = ${numberText(alpha)}, the metric’s α divided by the number of rows (Bonferroni).`;
}

/** The fields to choose from, and the chosen one even if it is not offered. */
export function fieldOptions(offered: readonly Schema<"DimensionalExposures">[], chosen: string): Option[] {
  const options = offered.map(({ dimension: id, values }): Option => {
    const count = values.reduce((sum, { kind, otherValues = 0 }) => sum + (kind === "value" ? 1 : otherValues), 0);
    return { id, label: `${id} (${count === 1 ? "1 value" : `${formatNumber(count)} values`})` };
  });
  return options.some(({ id }) => id === chosen) ? options : [{ id: chosen, label: chosen }, ...options];
}

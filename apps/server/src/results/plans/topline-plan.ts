import { isAveraged } from "./daily-plan.ts";
import type { Plan, Term } from "./plan.ts";

/** Whether the numbers of units add up, over units and over days: those of ratios do not, and neither do highest, lowest, first and last values. */
export function addsUp({ numerator, denominator }: Plan): boolean {
  return !denominator && !numerator.terms.some(isAveraged);
}

/** Whether the sum over all units equals the sum over all events, including those of other units. */
export function hasTotal(plan: Plan): boolean {
  const { low, high } = plan.numerator.bounds;
  return addsUp(plan) && !plan.waitsForSpan && low === undefined && high === undefined && plan.numerator.terms.every(isPlainSum);
}

function isPlainSum({ sources, fold, span, cap, threshold }: Term): boolean {
  const isAlways = span.from === 0 && span.to === null;
  return fold.by === "sum" && isAlways && cap === undefined && threshold === undefined && sources.every((source) => !("marks" in source));
}

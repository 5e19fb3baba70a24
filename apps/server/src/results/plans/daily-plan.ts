import type { Schema } from "@gatehouse/contract/console";
import { type Components, planMetric } from "./metric-plan.ts";
import {
  type Amount,
  type EventSource,
  type Fold,
  isActivity,
  type PercentilePlan,
  type Plan,
  type Source,
  type Term,
  type Unplanned,
} from "./plan.ts";
import { ALWAYS, withNumber } from "./plan-terms.ts";

type Metric = Schema<"Metric">;

const AVERAGED: readonly Fold["by"][] = ["max", "min", "first", "latest"];

/** Whether the numbers of units make no sense as a sum. */
export const isAveraged = ({ fold, threshold }: Term): boolean => AVERAGED.includes(fold.by) && threshold === undefined;

/**
 * Plans the value of a metric on one day from the events of that day alone. It is the sum over the units, their mean where a sum is
 * meaningless, a ratio, or a percentile of the events. Windows and bounds do not apply. The units' activity is computed by `activityQuery`,
 * which reads earlier days too.
 * @param planned `planAnywhere` for callers that can ask the warehouse too
 */
export function planOfDay(
  metric: Metric,
  components: Components = new Map(),
  planned: typeof planMetric = planMetric,
): Plan | PercentilePlan | Unplanned {
  const plan = planned(metric, components);
  if ("reason" in plan) return plan;
  if ("percentile" in plan) return { ...plan, span: ALWAYS, waitsForSpan: false };
  const numerator = onDay(plan.numerator);
  const denominator = plan.denominator && onDay(plan.denominator);
  if (hasMarker(numerator, "returned")) return { reason: "Whether units come back is not known of a single day." };
  const [term] = numerator.terms;
  const rest = { waitsForSpan: false, preMs: 0, ...(plan.from && { from: plan.from }) };
  if (!denominator && term && isAveraged(term)) return { numerator, denominator: { terms: [hasNumber(term)], bounds: {} }, ...rest };
  // Every unit has one day, so the days would only be counted twice.
  if (!denominator || hasMarker(denominator, "day")) return { numerator, ...rest };
  return { numerator, denominator, ...rest };
}

function onDay({ terms }: Amount): Amount {
  return { terms: terms.map((term) => ({ ...term, sources: term.sources.map(sourceOnDay), span: ALWAYS })), bounds: {} };
}

function sourceOnDay(source: Source): Source {
  if (!("marks" in source) || source.marks === "day" || isActivity(source) || "step" in source.of) return source;
  return { ...source, of: { ...source.of, span: ALWAYS } } as Source;
}

function hasMarker({ terms }: Amount, marks: string): boolean {
  return terms.some(({ sources }) => sources.some((source) => "marks" in source && source.marks === marks));
}

/** Whether a unit has the number that a term compares. */
function hasNumber({ sources }: Term): Term {
  const events = sources.filter((source): source is EventSource => !("marks" in source));
  return { sources: events.map(withNumber), fold: { by: "any" }, span: ALWAYS };
}

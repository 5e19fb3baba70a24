import type { Schema } from "@gatehouse/contract/console";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Amount, Marker, PercentilePlan, Plan, Source, Span, Term } from "./plan.ts";

/** How an experiment bounds the windows of its metrics, in ms since a unit's first exposure. */
export type Windows = {
  /** The end of windows that have none. */
  defaultEnd: number | undefined;
  /** Where longer windows end. */
  latestEnd: number | undefined;
  /** Whether units count in each metric only once its window is over. */
  waitForEnd: boolean;
};

type Settings = Pick<Schema<"Experiment">, "defaultRollupWindow" | "cohortedAnalysisDuration" | "cohortWaitUntilEndToInclude">;

/** Undefined if the experiment leaves windows as metrics have them. */
export function windowsOf({ defaultRollupWindow, cohortedAnalysisDuration, cohortWaitUntilEndToInclude }: Settings): Windows | undefined {
  if (defaultRollupWindow === undefined && cohortedAnalysisDuration === undefined && !cohortWaitUntilEndToInclude) return undefined;
  const toMs = (days: number | undefined) => (days === undefined ? undefined : days * DAY_MS);
  return {
    defaultEnd: toMs(defaultRollupWindow),
    latestEnd: toMs(cohortedAnalysisDuration),
    waitForEnd: cohortWaitUntilEndToInclude === true,
  };
}

/** The plan with bounded windows, including steps of funnels and first visits of a retention. */
export function withWindows<P extends Plan | PercentilePlan>(plan: P, windows: Windows): P {
  const waits = { waitsForSpan: plan.waitsForSpan || windows.waitForEnd };
  if ("percentile" in plan) return { ...plan, ...waits, span: bounded(plan.span, windows) };
  const { numerator, denominator } = plan;
  const toAmount = (amount: Amount): Amount => ({ ...amount, terms: amount.terms.map((term) => boundedTerm(term, windows)) });
  return { ...plan, ...waits, numerator: toAmount(numerator), ...(denominator && { denominator: toAmount(denominator) }) };
}

function bounded({ from, to }: Span, { defaultEnd, latestEnd }: Windows): Span {
  const end = to ?? defaultEnd ?? null;
  return { from, to: latestEnd === undefined ? end : Math.min(end ?? latestEnd, latestEnd) };
}

function boundedTerm(term: Term, windows: Windows): Term {
  return { ...term, span: bounded(term.span, windows), sources: term.sources.map((source) => boundedSource(source, windows)) };
}

function boundedSource(source: Source, windows: Windows): Source {
  return "marks" in source ? boundedMarker(source, windows) : source;
}

function boundedMarker(marker: Marker, windows: Windows): Marker {
  switch (marker.marks) {
    case "start":
    case "completion":
      return { ...marker, of: { ...marker.of, span: bounded(marker.of.span, windows) } };
    case "due":
    case "returned":
      return { ...marker, of: { ...marker.of, span: bounded(marker.of.span, windows) } };
    default:
      return marker;
  }
}

import type { Schema } from "@gatehouse/contract/console";
import { DAY_MS } from "../../common/utc-day.ts";
import { planOfChain } from "./funnel-plan.ts";
import type { Bounds, PercentilePlan, Plan, Return, Span, Term, Unplanned } from "./plan.ts";
import {
  ALWAYS,
  counted,
  DEFAULT_CUPED_DAYS,
  numbersIn,
  participation,
  toAmount,
  toEventSource,
  toSpan,
  toStep,
  toTerm,
} from "./plan-terms.ts";
import { readsSources, rowsRead } from "./source-events.ts";

type Metric = Schema<"Metric">;
type WarehouseNative = Schema<"WarehouseNative">;
type MetricEvent = Schema<"MetricEvent">;

/** Plans a metric of type user_warehouse. */
export function planOfWarehouse({ metricEvents, warehouseNative: given }: Metric): Plan | PercentilePlan | Unplanned {
  if (!given) return { reason: "It has no definition." };
  if (!readsSources(given)) return planned(metricEvents, given);
  const rows = rowsRead(given);
  if ("reason" in rows) return rows;
  const plan = planned(rows.metricEvents, { ...given, funnelEvents: rows.funnelEvents });
  return "reason" in plan ? plan : { ...plan, from: "warehouse" };
}

function planned(metricEvents: readonly MetricEvent[], given: WarehouseNative): Plan | PercentilePlan | Unplanned {
  const { aggregation, waitForCohortWindow: waitsForSpan = false, cupedAttributionWindow } = given;
  const span = toSpan(given);
  const rest = { waitsForSpan, preMs: (cupedAttributionWindow ?? DEFAULT_CUPED_DAYS) * DAY_MS };
  const bounds = toBounds(given.winsorizationLow, given.winsorizationHigh);
  switch (aggregation) {
    case "mean":
      return { numerator: toAmount([toTerm(metricEvents, span)], bounds), denominator: toAmount([numbersIn(metricEvents, span)]), ...rest };
    case "daily_participation": {
      const { active, all } = participation(metricEvents, span);
      return { numerator: toAmount([active]), denominator: toAmount([all]), ...rest };
    }
    case "ratio":
      return planRatio(metricEvents, given, rest);
    case "funnel":
      return planFunnel(given, span, rest);
    case "retention":
      return planRetention(metricEvents, given, rest);
    case "percentile":
      if (given.percentile === undefined) return { reason: "It does not say which percentile." };
      return { percentile: given.percentile, sources: metricEvents.map(toEventSource), span, waitsForSpan };
    default: {
      const { cap, valueThreshold: threshold } = given;
      const limits = { ...(cap !== undefined && { cap }), ...(threshold !== undefined && { threshold }) };
      return { numerator: toAmount([{ ...aggregated(aggregation, metricEvents, span), ...limits }], bounds), ...rest };
    }
  }
}

type Rest = Pick<Plan, "waitsForSpan" | "preMs">;

const toBounds = (low: number | undefined, high: number | undefined): Bounds => ({
  ...(low !== undefined && { low }),
  ...(high !== undefined && { high }),
});

type OfUnit = Schema<"RatioAggregation">;

function aggregated(aggregation: OfUnit, events: readonly MetricEvent[], span: Span): Term {
  switch (aggregation) {
    case "count":
      return { sources: events.map(counted), fold: { by: "sum" }, span };
    case "sum":
    case "count_distinct":
      return toTerm(events, span);
    case "daily_participation":
      return participation(events, span).active;
    case "max":
    case "min":
      return { sources: events.map(toEventSource), fold: { by: aggregation }, span };
    case "first_value":
      return { sources: events.map(toEventSource), fold: { by: "first" }, span };
    case "latest_value":
      return { sources: events.map(toEventSource), fold: { by: "latest" }, span };
  }
}

/** The first of two events divided by the second. */
function planRatio([first, second]: readonly MetricEvent[], given: WarehouseNative, rest: Rest): Plan | Unplanned {
  const { numeratorAggregation, denominatorAggregation } = given;
  if (!first || !second || !numeratorAggregation || !denominatorAggregation) return { reason: "It has no two events." };
  const span = toSpan(given);
  const below = given.denominatorRollupTimeWindow
    ? toSpan({
        rollupTimeWindow: given.denominatorRollupTimeWindow,
        ...(given.denominatorCustomRollupStart !== undefined && { customRollUpStart: given.denominatorCustomRollupStart }),
        ...(given.denominatorCustomRollupEnd !== undefined && { customRollUpEnd: given.denominatorCustomRollupEnd }),
      })
    : span;
  return {
    numerator: toAmount([aggregated(numeratorAggregation, [first], span)], toBounds(given.winsorizationLow, given.winsorizationHigh)),
    denominator: toAmount(
      [aggregated(denominatorAggregation, [second], below)],
      toBounds(given.winsorizationLowDenominator, given.winsorizationHighDenominator),
    ),
    ...rest,
  };
}

function planFunnel(given: WarehouseNative, span: Span, rest: Rest): Plan {
  const { funnelEvents = [], funnelCalculationWindow: window, funnelStrictOrdering: isStrict = false, funnelStartCriteria } = given;
  const chain = {
    // Steps of events have names, and those of sources the names of their sources.
    steps: funnelEvents.map((event) => toStep([{ ...event, name: event.name ?? "" }])),
    span,
    withinMs: window === undefined ? null : window * DAY_MS,
    isStrict,
  };
  return planOfChain(chain, funnelStartCriteria ?? (given.funnelUseExposureAsFirstEvent ? "exposure" : "start_event"), rest);
}

/** Units that have the event again, among units with a known return. */
function planRetention(events: readonly MetricEvent[], given: WarehouseNative, rest: Rest): Plan {
  const { retentionEnd = 7, retentionLength = 7 } = given;
  const of: Return = {
    step: toStep(events),
    span: toSpan(given),
    fromMs: (retentionEnd - retentionLength + 1) * DAY_MS,
    toMs: (retentionEnd + 1) * DAY_MS,
  };
  const term = (marks: "due" | "returned"): Term => ({ sources: [{ marks, of }], fold: { by: "any" }, span: ALWAYS });
  // A unit waits for its own return instead.
  return { numerator: toAmount([term("returned")]), denominator: toAmount([term("due")]), ...rest, waitsForSpan: false };
}

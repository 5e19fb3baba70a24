import type { Schema } from "@gatehouse/contract/console";

type Metric = Schema<"Metric">;
type MetricEvent = Schema<"MetricEvent">;
export type Criterion = Schema<"MetricCriterion">;

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_CUPED_DAYS = 7;

/** The number of an event. */
export type NumberOf = { of: "one" } | { of: "value" } | { of: "metadata"; key: string };

/** Events that count, and with which number. */
export type Source = { event: string; criteria: readonly Criterion[]; number: NumberOf };

/**
 * How the numbers of a unit's events become one: their sum, whether there is any, on how many days there is any, how many different texts
 * there are under a key, the largest, the smallest, that of the first event or of the last one.
 */
export type Fold = { by: "sum" | "any" | "days" | "max" | "min" | "first" | "latest" } | { by: "distinct"; key: string };

/** The time in which events count, in ms since the unit's first exposure: from `from` to just before `to`. Without end if that is null. */
export type Span = { from: number; to: number | null };

/** A number of each unit. It is 0 for a unit without events. */
export type Term = {
  sources: readonly Source[];
  fold: Fold;
  span: Span;
  /** The most that counts on one day. */
  cap?: number;
  /** The number is whether the folded one is at least this. */
  threshold?: number;
};

/** Percentiles of the units' numbers, as shares, to which lower and higher ones are brought. */
export type Bounds = { low?: number; high?: number };

/** A number of each unit that is a sum of terms. */
export type Amount = { terms: readonly Term[]; bounds: Bounds };

/** What is computed of a metric whose units have an amount, or two for a ratio. */
export type Plan = {
  numerator: Amount;
  denominator?: Amount;
  /** Units count once their span is over. */
  waitsForSpan: boolean;
  /** How long before the first exposure a unit's earlier amount is read, for CUPED. */
  preMs: number;
};

/** The components of a composite, by id. */
export type Components = ReadonlyMap<string, Metric>;

/** Why nothing can be computed. */
export type Unplanned = { reason: string };

/** What to compute for a metric. Percentiles, funnels and retention have queries of their own. */
export function planOf(metric: Metric, components: Components = new Map()): Plan | Unplanned {
  const { type, metricEvents } = metric;
  const plan = (numerator: readonly Term[], denominator?: readonly Term[]): Plan => ({
    numerator: { terms: numerator, bounds: {} },
    ...(denominator && { denominator: { terms: denominator, bounds: {} } }),
    waitsForSpan: false,
    preMs: DEFAULT_CUPED_DAYS * DAY_MS,
  });
  const span = spanOf(metric);
  const [first, second] = metricEvents;
  switch (type) {
    case "event_count_custom":
      return plan(metricEvents.map((event) => termOf([event], span)));
    case "event_user":
      return plan([{ sources: metricEvents.map(counted), fold: { by: "any" }, span }]);
    case "sum":
      return plan([termOf(metricEvents, span)]);
    case "mean":
      return plan([termOf(metricEvents, span)], [{ sources: metricEvents.map(withNumber), fold: { by: "sum" }, span }]);
    case "ratio":
      return first && second ? plan([termOf([first], span)], [termOf([second], span)]) : { reason: "It has no two events." };
    case "composite":
    case "composite_sum":
      return composed(metric, components, plan);
    case "funnel":
      return { reason: "A funnel has a query of its own." };
    case "user_warehouse":
      return planOfWarehouse(metric);
  }
}

function composed({ metricComponentMetrics }: Metric, components: Components, plan: (terms: readonly Term[]) => Plan): Plan | Unplanned {
  const terms: Term[] = [];
  for (const { name, type } of metricComponentMetrics) {
    const component = components.get(`${name}::${type}`);
    if (!component) return { reason: `The metric ${name} of type ${type} does not exist.` };
    const part = planOf(component, components);
    if ("reason" in part) return part;
    terms.push(...part.numerator.terms);
  }
  return plan(terms);
}

type Window = Pick<Metric, "customRollUpStart" | "customRollUpEnd"> & { rollupTimeWindow?: string };

/** Days 0 to 6 are seven times 24 hours. */
function spanOf({ rollupTimeWindow, customRollUpStart = 0, customRollUpEnd = 0 }: Window): Span {
  if (rollupTimeWindow !== "custom") return { from: 0, to: null };
  return { from: customRollUpStart * DAY_MS, to: (customRollUpEnd + 1) * DAY_MS };
}

/** The term of events that are counted in the same way. */
function termOf(events: readonly MetricEvent[], span: Span): Term {
  const [first] = events;
  if (first?.type === "count_distinct") {
    const fold: Fold = first.metadataKey === undefined ? { by: "any" } : { by: "distinct", key: first.metadataKey };
    return { sources: events.map(counted), fold, span };
  }
  return { sources: events.map(sourceOf), fold: { by: "sum" }, span };
}

function sourceOf(event: MetricEvent): Source {
  const { name, criteria = [], type, metadataKey } = event;
  if (type === "value") return { event: name, criteria, number: { of: "value" } };
  if (type === "metadata" && metadataKey !== undefined) return { event: name, criteria, number: { of: "metadata", key: metadataKey } };
  return counted(event);
}

/** Each event counts 1. */
function counted({ name, criteria = [] }: MetricEvent): Source {
  return { event: name, criteria, number: { of: "one" } };
}

/** Each event that has a number counts 1. */
function withNumber(event: MetricEvent): Source {
  const { number } = sourceOf(event);
  const has: Criterion =
    number.of === "metadata" ? { type: "metadata", column: number.key, condition: "non_null" } : { type: "value", condition: "non_null" };
  return { ...counted(event), criteria: [...(event.criteria ?? []), has] };
}

function planOfWarehouse({ metricEvents, warehouseNative }: Metric): Plan | Unplanned {
  if (!warehouseNative) return { reason: "It has no definition." };
  if (warehouseNative.metricSourceName !== undefined) return { reason: "Its metric source is in no database that the server reads." };
  const { aggregation, cap, valueThreshold: threshold, winsorizationLow: low, winsorizationHigh: high } = warehouseNative;
  const span = spanOf(warehouseNative);
  const bounds = { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
  const preMs = (warehouseNative.cupedAttributionWindow ?? DEFAULT_CUPED_DAYS) * DAY_MS;
  const plan = (numerator: Term, denominator?: Amount): Plan => ({
    numerator: { terms: [{ ...numerator, ...(cap !== undefined && { cap }), ...(threshold !== undefined && { threshold }) }], bounds },
    ...(denominator && { denominator }),
    waitsForSpan: warehouseNative.waitForCohortWindow ?? false,
    preMs,
  });
  switch (aggregation) {
    case "count":
      return plan({ sources: metricEvents.map(counted), fold: { by: "sum" }, span });
    case "sum":
    case "count_distinct":
      return plan(termOf(metricEvents, span));
    case "mean":
      return plan(termOf(metricEvents, span), {
        terms: [{ sources: metricEvents.map(withNumber), fold: { by: "sum" }, span }],
        bounds: {},
      });
    case "daily_participation":
      return plan({ sources: metricEvents.map(counted), fold: { by: "days" }, span });
    case "max":
    case "min":
      return plan({ sources: metricEvents.map(sourceOf), fold: { by: aggregation }, span });
    case "first_value":
      return plan({ sources: metricEvents.map(sourceOf), fold: { by: "first" }, span });
    case "latest_value":
      return plan({ sources: metricEvents.map(sourceOf), fold: { by: "latest" }, span });
    case "ratio":
    case "funnel":
    case "percentile":
    case "retention":
      return { reason: `The aggregation ${aggregation} has a query of its own.` };
  }
}

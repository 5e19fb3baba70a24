import type { Schema } from "@gatehouse/contract/console";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Amount, Criterion, EventSource, Fold, Plan, Span, Step, Term } from "./plan.ts";

type Metric = Schema<"Metric">;
type MetricEvent = Schema<"MetricEvent">;

export const DEFAULT_CUPED_DAYS = 7;
/** No number of an event is less. */
const LEAST_NUMBER = String(-Number.MAX_VALUE);

/** All that follows the first exposure. */
export const ALWAYS: Span = { from: 0, to: null };

type Window = Pick<Metric, "customRollUpStart" | "customRollUpEnd"> & { rollupTimeWindow?: string };

/** Days 0 to 6 are seven times 24 hours. */
export function toSpan({ rollupTimeWindow, customRollUpStart = 0, customRollUpEnd = 0 }: Window): Span {
  if (rollupTimeWindow !== "custom") return ALWAYS;
  return { from: customRollUpStart * DAY_MS, to: (customRollUpEnd + 1) * DAY_MS };
}

/** A plan with the usual window before the exposure. */
export function planWith(numerator: readonly Term[], denominator?: readonly Term[]): Plan {
  return {
    numerator: toAmount(numerator),
    ...(denominator && { denominator: toAmount(denominator) }),
    waitsForSpan: false,
    preMs: DEFAULT_CUPED_DAYS * DAY_MS,
  };
}

export const toAmount = (terms: readonly Term[], bounds: Amount["bounds"] = {}): Amount => ({ terms, bounds });

/** The sum of numbers, or how many different texts there are. */
export function toTerm(events: readonly MetricEvent[], span: Span): Term {
  const [first] = events;
  if (first?.type === "count_distinct") {
    const fold: Fold = first.metadataKey === undefined ? { by: "any" } : { by: "distinct", key: first.metadataKey };
    return { sources: events.map(counted), fold, span };
  }
  return { sources: events.map(toEventSource), fold: { by: "sum" }, span };
}

/** How many events have a number. */
export function numbersIn(events: readonly MetricEvent[], span: Span): Term {
  return { sources: events.map((event) => withNumber(toEventSource(event))), fold: { by: "sum" }, span };
}

/** Days with an event, and days since the first exposure. */
export function participation(events: readonly MetricEvent[], span: Span): { active: Term; all: Term } {
  return {
    active: { sources: events.map(counted), fold: { by: "days" }, span },
    all: { sources: [{ marks: "day" }], fold: { by: "sum" }, span },
  };
}

export function toEventSource(event: MetricEvent): EventSource {
  const { name, criteria = [], type, metadataKey } = event;
  if (type === "value") return { event: name, criteria, number: { of: "value" } };
  if (type === "metadata" && metadataKey !== undefined) return { event: name, criteria, number: { of: "metadata", key: metadataKey } };
  return counted(event);
}

/** Each event counts 1. */
export function counted({ name, criteria = [] }: Pick<MetricEvent, "name" | "criteria">): EventSource {
  return { event: name, criteria, number: { of: "one" } };
}

export const toStep = (events: readonly Pick<MetricEvent, "name" | "criteria">[]): Step => events.map(counted);

/** Each event with a number counts 1. Texts that are not numbers do not count. */
export function withNumber({ event, criteria, number }: EventSource): EventSource {
  if (number.of === "one") return { event, criteria, number };
  const isNumber: Pick<Criterion, "condition" | "values"> = { condition: ">=", values: [LEAST_NUMBER] };
  const has: Criterion = number.of === "metadata" ? { type: "metadata", column: number.key, ...isNumber } : { type: "value", ...isNumber };
  return { event, criteria: [...criteria, has], number: { of: "one" } };
}

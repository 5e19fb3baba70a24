import type { Schema } from "@gatehouse/contract/console";

export type Criterion = Schema<"MetricCriterion">;

/** The number of an event. */
type EventNumber = { of: "one" } | { of: "value" } | { of: "metadata"; key: string };

/** Logged events that count, and with which number. */
export type EventSource = { event: string; criteria: readonly Criterion[]; number: EventNumber };

/** The time during which events count, from `from` to just before `to`, in ms since the unit's first exposure. Null means no end. */
export type Span = { from: number; to: number | null };

/** Events that are a step of a funnel: any of these. */
export type Step = readonly EventSource[];

/**
 * Steps that follow each other within a span. A step at the same ms as the one before counts as following if it was stored later, unless the
 * order is strict.
 */
export type Chain = {
  steps: readonly Step[];
  span: Span;
  /** The most time from the first step to the last, ms; null without a limit. */
  withinMs: number | null;
  isStrict: boolean;
};

/**
 * Whether a unit has an event again, at least `fromMs` and less than `toMs` after its first one in the span. Known, and so counted, once that
 * time is over.
 */
export type Return = { step: Step; span: Span; fromMs: number; toMs: number };

/**
 * A unit's activity. A day since the first exposure is active if it or one of the `withinDays - 1` days before it, on the same side of the
 * exposure, has an event. `first` is the first stored event of a unit without events before the exposure. Any event that applications log
 * counts; exposures do not.
 */
export type Activity = { marks: "active"; withinDays: number } | { marks: "first" };

/** A moment without an event; it counts 1. */
export type Marker =
  /** Each day since the first exposure begins. */
  | { marks: "day" }
  /** A first step happens; and its last step happens for the first time after it. */
  | { marks: "start" | "completion"; of: Chain }
  /** It is known whether a unit returns; and it did. */
  | { marks: "due" | "returned"; of: Return }
  | Activity;

export type Source = EventSource | Marker;

export const isActivity = (source: Source): source is Activity =>
  "marks" in source && (source.marks === "active" || source.marks === "first");

/**
 * How the numbers of a unit's events become one: their sum, whether it has any, or the days since the first exposure with any. It can also
 * be the number of different texts under a key, the largest, the smallest, or that of the first or last event.
 */
export type Fold = { by: "sum" | "any" | "days" | "max" | "min" | "first" | "latest" } | { by: "distinct"; key: string };

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

/** Percentiles of the units' numbers, as shares. Lower and higher numbers are set to them. */
export type Bounds = { low?: number; high?: number };

/** A number of each unit that is a sum of terms. */
export type Amount = { terms: readonly Term[]; bounds: Bounds };

/**
 * Numbers close to those of the units, whose deviations are summed in place of their numbers: `y` now, and `p` before the first exposure. Of a
 * ratio, numbers close to the ratio. 0 where the numbers themselves are summed.
 */
export type Bases = { y: number; p: number };

/** The plan of a metric whose units have an amount, or two for a ratio. */
export type Plan = {
  numerator: Amount;
  denominator?: Amount;
  /** Units count once their span is over. */
  waitsForSpan: boolean;
  /** How long before the first exposure a unit's earlier amount is read, for CUPED, ms. */
  preMs: number;
  /** Given if large numbers that vary little would lose their digits in sums of squares. */
  bases?: Bases;
} & Where;

/** The source of the rows: metric sources on the project's warehouse, whose name replaces that of an event; logged events if absent. */
type Where = { from?: "warehouse" };

/** The plan of a metric that is a percentile of the numbers of events: those of all units of a group together. */
export type PercentilePlan = {
  /** The percentile, as a share between 0 and 1. */
  percentile: number;
  sources: readonly EventSource[];
  span: Span;
  /** Units count once their span is over. */
  waitsForSpan: boolean;
} & Where;

/** Why a computation is impossible. */
export type Unplanned = { reason: string };

/** The events of a percentile, each with its number. */
export function termOfPercentile({ sources, span }: PercentilePlan): Term {
  return { sources, fold: { by: "sum" }, span };
}

/** Whether a unit's behavior before its first exposure affects its number. */
export function readsHistory(plan: Plan | PercentilePlan): boolean {
  return distinctMarkers(distinctTerms([plan])).some(({ marks }) => marks === "first");
}

/** Each of several plans' terms once. */
export function distinctTerms(plans: readonly (Plan | PercentilePlan)[]): Term[] {
  const all = plans.flatMap((plan) =>
    "percentile" in plan ? [termOfPercentile(plan)] : [...plan.numerator.terms, ...(plan.denominator?.terms ?? [])],
  );
  return [...new Map(all.map((term) => [JSON.stringify(term), term])).values()];
}

/** Each of several terms' markers once. */
export function distinctMarkers(terms: readonly Term[]): Marker[] {
  const all = terms.flatMap(({ sources }) => sources.filter((source) => "marks" in source));
  return [...new Map(all.map((marker) => [JSON.stringify(marker), marker])).values()];
}

import type { Amount, Bases, Chain, EventSource, Fold, Marker, Plan, Step, Term } from "../../src/results/plans/plan.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { SUMS } from "../../src/results/sql/measures.ts";
import type { MomentsRow } from "../../src/results/sql/moments-query.ts";
import { activeTimes } from "./activity-reference.ts";
import { dimensionPart, type Exposure } from "./exposure.ts";
import { isMatch, isStep, type Logged, numberIn } from "./reference-events.ts";

type Sums = Record<(typeof SUMS)[number], number>;

/** The moments of each group as of the end of each day, by a naive computation over units. The keys are `metric group dimension day`. */
export function referenceMoments(plans: Plan[], analysis: Analysis, exposures: Exposure[], events: Logged[]): Map<string, Sums> {
  const { days, end } = analysis;
  const units = new Map<string, Exposure[]>();
  for (const one of exposures) {
    if (one.time < (days[0] as number) || one.time >= end) continue;
    units.set(one.unit, [...(units.get(one.unit) ?? []), one]);
  }
  const moments = new Map<string, Sums>();
  for (const [index, plan] of plans.entries()) {
    const { denominator } = plan;
    /** A unit without denominator has no numerator. */
    const participates = (own: Logged[], time: number, asOf: number) => !denominator || computeAmount(denominator, own, time, asOf) !== 0;
    const earlierOf = (own: Logged[], time: number): [p: number, q: number] => {
      const q = denominator ? computeEarlier(denominator, own, time, plan.preMs) : 0;
      return [denominator && q === 0 ? 0 : computeEarlier(plan.numerator, own, time, plan.preMs), q];
    };
    const waits = plan.waitsForSpan ? Math.max(...plan.numerator.terms.map(({ span }) => span.to ?? Number.POSITIVE_INFINITY)) : 0;
    const entered = [...units].filter(([, [first, ...others]]) => others.length === 0 && (first?.time ?? 0) + waits <= end);
    const bounds = [plan.numerator, denominator ?? { terms: [], bounds: {} }].map((amount) =>
      computeBounds(amount, (one) => unitTotals(one, new Map(entered), events, end, participates)),
    );
    const earlierBounds = [plan.numerator, denominator ?? { terms: [], bounds: {} }].map((amount, at) =>
      computeBounds(amount, () => entered.map(([unit, [first]]) => earlierOf(ofUnit(unit, events), first?.time ?? 0)[at] as number)),
    );
    for (const [unit, seen] of units) {
      if (seen.length !== 1) continue;
      const [exposure] = seen as [Exposure];
      const { group, time } = exposure;
      const own = ofUnit(unit, events);
      for (const [day, begin] of days.entries()) {
        const asOf = Math.min(days[day + 1] ?? end, end);
        const entersAt = time + waits;
        if (entersAt >= (days[day + 1] ?? end + 1) || entersAt > end || begin >= end) continue;
        const [y, d] = [plan.numerator, denominator].map((amount, at) =>
          amount && participates(own, time, asOf) ? clip(computeAmount(amount, own, time, asOf), bounds[at] as [number, number]) : 0,
        ) as [number, number];
        const [p, q] = earlierOf(own, time).map((one, at) => clip(one, earlierBounds[at] as [number, number])) as [number, number];
        const key = `${index} ${group} ${dimensionPart(exposure, analysis)} ${day + 1}`;
        const sums = moments.get(key) ?? (Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums);
        const of = products(plan, { y, d, p, q });
        for (const name of SUMS) sums[name] += of[name];
        moments.set(key, sums);
      }
    }
  }
  return moments;
}

type Amounts = Record<"y" | "d" | "p" | "q", number>;

/** A unit's contribution to the sums: with bases, the products of its deviations. */
function products({ denominator, bases }: Plan, amounts: Amounts): Sums {
  const { y, d, p, q } = bases ? deviations(amounts, bases, denominator !== undefined) : amounts;
  const isWithoutDenominator = denominator === undefined;
  return {
    n: 1,
    k: d === 0 ? 0 : 1,
    m: amounts.p === 0 ? 0 : 1,
    y,
    yy: y * y,
    d,
    dd: d * d,
    yd: y * d,
    p,
    pp: p * p,
    q,
    qq: q * q,
    pq: p * q,
    yp: y * p,
    yq: y * q,
    dp: d * p,
    dq: d * q,
    yyy: y ** 3,
    yyd: y * y * d,
    ydd: y * d * d,
    ddd: d ** 3,
    ...(isWithoutDenominator ? { yyp: y * y * p, ypp: y * p * p, ppp: p ** 3 } : { yyp: 0, ypp: 0, ppp: 0 }),
  };
}

function deviations({ y, d, p, q }: Amounts, bases: Bases, isRatio: boolean): Amounts {
  if (isRatio) return { y: y - bases.y * d, d, p: p - bases.p * q, q };
  const from = (amount: number, base: number) => (amount === 0 ? 0 : amount - base);
  return { y: from(y, bases.y), d: Number(y !== 0), p: from(p, bases.p), q: Number(p !== 0) };
}

/** The rows of the query, summed up to each day. */
export function cumulated(rows: MomentsRow[], analysis: Analysis): Map<string, Sums> {
  const moments = new Map<string, Sums>();
  const series = new Map<string, MomentsRow[]>();
  for (const row of rows) {
    const key = `${row.metric} ${row.grp} ${row.dim}`;
    series.set(key, [...(series.get(key) ?? []), row]);
  }
  for (const [key, steps] of series) {
    const sums = Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums;
    for (let day = 1; day <= analysis.days.length; day++) {
      for (const step of steps.filter((one) => Number(one.day) === day)) for (const name of SUMS) sums[name] += step[name];
      if (sums.n > 0) moments.set(`${key} ${day}`, { ...sums });
    }
  }
  return moments;
}

export const ofUnit = (unit: string, events: Logged[]) =>
  events.filter((event) => event.unit === unit).sort((a, b) => a.time - b.time || a.id - b.id);

function unitTotals(
  amount: Amount,
  units: Map<string, Exposure[]>,
  events: Logged[],
  end: number,
  participates: (own: Logged[], time: number, asOf: number) => boolean,
): number[] {
  return [...units].flatMap(([unit, seen]) => {
    const [{ time }] = seen as [Exposure];
    const own = ofUnit(unit, events);
    return seen.length === 1 && participates(own, time, end) ? [computeAmount(amount, own, time, end)] : [];
  });
}

function computeBounds({ terms, bounds: { low, high } }: Amount, totals: (amount: Amount) => number[]): [number, number] {
  if (low === undefined && high === undefined) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const sorted = totals({ terms, bounds: {} })
    .filter((one) => one !== 0)
    .sort((a, b) => a - b);
  const at = (level: number) => {
    const rank = level * (sorted.length - 1);
    const below = Math.floor(rank);
    return (sorted[below] as number) + (rank - below) * ((sorted[below + 1] ?? (sorted[below] as number)) - (sorted[below] as number));
  };
  return [low === undefined ? Number.NEGATIVE_INFINITY : at(low), high === undefined ? Number.POSITIVE_INFINITY : at(high)];
}

const clip = (value: number, [low, high]: [number, number]) => (value === 0 ? 0 : Math.min(high, Math.max(low, value)));

function computeAmount({ terms }: Amount, own: Logged[], since: number, asOf: number): number {
  return terms.reduce((sum, term) => {
    const { from, to } = term.span;
    const isWithin = (time: number) => time < asOf && time - since >= from && (to === null || time - since < to);
    const within = own.filter(({ time }) => isWithin(time));
    return sum + computeNumber(term, within, { own, since, isWithin });
  }, 0);
}

function computeEarlier({ terms }: Amount, own: Logged[], since: number, preMs: number): number {
  const isWithin = (time: number) => time < since && time >= since - preMs;
  const within = own.filter(({ time }) => isWithin(time));
  return terms.reduce(
    (sum, term) =>
      sum + computeNumber({ ...term, ...(term.fold.by !== "sum" && { cap: Number.POSITIVE_INFINITY }) }, within, { own, since, isWithin }),
    0,
  );
}

/** All events of a unit, its first exposure, and which times count. */
type Unit = { own: Logged[]; since: number; isWithin: (time: number) => boolean };

function computeNumber(term: Term, within: Logged[], unit: Unit): number {
  const { threshold } = term;
  const folded = fold(term, within, unit);
  return threshold === undefined ? folded : Number(folded >= threshold);
}

const DAY_MS = 86_400_000;

function fold({ fold: how, sources, cap = Number.POSITIVE_INFINITY }: Term, within: Logged[], unit: Unit): number {
  const [marker] = sources;
  if (marker && "marks" in marker) {
    const marked = markedTimes(marker, unit).filter(unit.isWithin);
    return how.by === "any" ? Math.min(1, marked.length) : marked.length;
  }
  const counted = within.flatMap((event) => {
    const source = (sources as EventSource[]).find((one) => isMatch(one, event));
    return source ? [{ event, number: numberIn(source, event) }] : [];
  });
  const numbers = counted.flatMap(({ number }) => (number === null ? [] : [number]));
  return by(
    how,
    counted.map(({ event }) => event),
    counted,
    numbers,
    { cap, since: unit.since },
  );
}

function markedTimes(marker: Marker, { own, since, isWithin }: Unit): number[] {
  if (marker.marks === "active" || marker.marks === "first") return activeTimes(marker, own, since, isWithin);
  if (marker.marks === "day") return Array.from({ length: 200 }, (_, index) => since + (index - 100) * DAY_MS);
  const inSpan = ({ time }: Logged, { from, to }: Term["span"]) => time - since >= from && (to === null || time - since < to);
  if ("steps" in marker.of) {
    const chain = marker.of;
    const parts = [own.filter(({ time }) => time < since && isWithin(time)), own.filter((event) => inSpan(event, chain.span))];
    return parts.flatMap((events) =>
      events.flatMap((event, at) => {
        if (!isStep(chain.steps[0] as Step, event)) return [];
        if (marker.marks === "start") return [event.time];
        const completed = completionAfter(chain, 1, at, events);
        return completed - event.time <= (chain.withinMs ?? Number.MAX_SAFE_INTEGER) ? [completed] : [];
      }),
    );
  }
  const { step, span, fromMs, toMs } = marker.of;
  const times = own.filter((event) => event.time >= since && isStep(step, event));
  const began = times.find((event) => inSpan(event, span))?.time;
  if (began === undefined) return [];
  const isBack = times.some(({ time }) => time >= began + fromMs && time < began + toMs);
  return marker.marks === "due" || isBack ? [began + toMs] : [];
}

/** The first time when the steps from one on have followed an event; Infinity if they have not. */
function completionAfter(chain: Chain, step: number, at: number, events: Logged[]): number {
  const next = events.flatMap((event, index) => {
    const follows = chain.isStrict ? event.time > (events[at] as Logged).time : index > at;
    if (!follows || !isStep(chain.steps[step] as Step, event)) return [];
    return [step === chain.steps.length - 1 ? event.time : completionAfter(chain, step + 1, index, events)];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...next);
}

function by(
  how: Fold,
  events: Logged[],
  counted: { event: Logged; number: number | null }[],
  numbers: number[],
  { cap, since }: { cap: number; since: number },
): number {
  switch (how.by) {
    case "sum": {
      const byDay = new Map<number, number>();
      for (const { event, number } of counted)
        byDay.set(Math.floor(event.time / DAY_MS), (byDay.get(Math.floor(event.time / DAY_MS)) ?? 0) + (number ?? 0));
      return [...byDay.values()].reduce((sum, one) => sum + Math.min(cap, one), 0);
    }
    case "any":
      return events.length > 0 ? 1 : 0;
    case "days":
      return new Set(events.map(({ time }) => Math.floor((time - since) / DAY_MS))).size;
    case "distinct":
      return new Set(
        events
          .map(({ metadata }) => metadata[how.key])
          .filter((one) => one !== undefined)
          .map(String),
      ).size;
    case "max":
      return numbers.length > 0 ? Math.max(...numbers) : 0;
    case "min":
      return numbers.length > 0 ? Math.min(...numbers) : 0;
    case "first":
      return numbers[0] ?? 0;
    case "latest":
      return numbers.at(-1) ?? 0;
  }
}

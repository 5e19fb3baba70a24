import type { Term } from "../plans/plan.ts";
import type { DailySums } from "../pulse/sums.ts";
import { SUMS } from "../sql/measures.ts";
import { addDay, amountsOf, type Clips, clipped, readEarlier, type UnitMeasure } from "./unit-measures.ts";
import type { UnitDays } from "./unit-rows.ts";

type Named = Record<(typeof SUMS)[number], number>;
const AT = Object.fromEntries(SUMS.map((name, at) => [name, at])) as Record<(typeof SUMS)[number], number>;
const WIDTH = SUMS.length;

type Given = {
  measures: readonly UnitMeasure[];
  clips: readonly Clips[];
  terms: readonly Term[];
  /** The ids of the groups, in the order of their places. */
  groups: readonly string[];
  /** When days begin, ms, and the time from which events do not count. */
  days: readonly number[];
  end: number;
};

/** A measure's amounts of a unit: now, and before the first exposure. With bases, the deviations from them. */
type Amounts = { y: number; d: number; p: number; q: number };

/** Adds up what each day adds to the sums of each group, as the statement of moments does. */
export function sumUnits({ measures, clips, terms, groups, days, end }: Given) {
  const size = (days.length + 1) * WIDTH;
  const sums = measures.map(() => groups.map(() => new Float64Array(size)));
  const [numbers, earlier, none] = [new Float64Array(terms.length), new Float64Array(terms.length), new Float64Array(terms.length)];
  const states = measures.map((): Amounts => ({ y: 0, d: 0, p: 0, q: 0 }));
  const found = { y: 0, d: 0 };

  /** Whether units with this first exposure have entered, and when. */
  const entersAt = ({ waits }: UnitMeasure, since: number) => {
    const at = since + (waits ?? 0);
    return waits === null || at <= end ? position(days, at) : undefined;
  };

  function enter(index: number, group: number, day: number): void {
    const measure = measures[index] as UnitMeasure;
    const { p, q } = clips[index] as Clips;
    const state = states[index] as Amounts;
    const own = sums[index]?.[group] as Float64Array;
    const at = day * WIDTH;
    amountsOf(measure, earlier, found);
    state.p = clipped(found.y, p);
    state.q = clipped(found.d, q);
    if (state.p !== 0) plus(own, at + AT.m, 1);
    deviateEarlier(state, measure);
    addEntry(own, at, state);
    state.y = 0;
    state.d = 0;
    amountsOf(measure, none, found);
    if (found.y !== 0 || found.d !== 0) change(own, at, state, measure);
  }

  function step(index: number, group: number, day: number): void {
    const measure = measures[index] as UnitMeasure;
    const { y, d } = clips[index] as Clips;
    amountsOf(measure, numbers, found);
    found.y = clipped(found.y, y);
    found.d = clipped(found.d, d);
    change(sums[index]?.[group] as Float64Array, day * WIDTH, states[index] as Amounts, measure);
  }

  /** Changes the amounts to the found ones. */
  function change(own: Float64Array, at: number, state: Amounts, { bases, denominator }: UnitMeasure): void {
    if (bases) deviate(found, bases.y, denominator !== undefined);
    if (found.y !== state.y || found.d !== state.d) addStep(own, at, state, found.y, found.d);
    state.y = found.y;
    state.d = found.d;
  }

  return {
    add(unitDays: UnitDays, unit: number): void {
      const first = readEarlier(unitDays, unit, terms, earlier);
      const after = unitDays.starts[unit + 1] as number;
      const group = unitDays.units.groups[unit] as number;
      const since = unitDays.units.since[unit] as number;
      if (since >= end) return;
      for (let index = 0; index < measures.length; index++) {
        const day = entersAt(measures[index] as UnitMeasure, since);
        if (day !== undefined) enter(index, group, day);
      }
      numbers.fill(Number.NaN);
      for (let row = first; row < after; row++) {
        const mask = addDay(numbers, unitDays, row, terms);
        const day = (unitDays.codes[row] as number) >> 1;
        for (let index = 0; index < measures.length; index++) {
          const { waits, reads } = measures[index] as UnitMeasure;
          if (waits === null && (reads & mask) !== 0) step(index, group, day);
        }
      }
      for (let index = 0; index < measures.length; index++) {
        const measure = measures[index] as UnitMeasure;
        const day = measure.waits === null || after === first ? undefined : entersAt(measure, since);
        if (day !== undefined) step(index, group, day);
      }
    },

    daily: (): DailySums[][] => measures.map((measure, index) => toDaily(sums[index] as Float64Array[], measure, groups)),
  };
}

/** The number of the day of a time, counted from 1. */
function position(days: readonly number[], time: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With bases, an amount other than 0 counts as its deviation: see `factors` of the statement. */
function deviate(amounts: { y: number; d: number }, base: number, isRatio: boolean): void {
  if (isRatio) amounts.y -= base * amounts.d;
  else {
    amounts.d = amounts.y === 0 ? 0 : 1;
    if (amounts.y !== 0) amounts.y -= base;
  }
}

function deviateEarlier(state: Amounts, { bases, denominator }: UnitMeasure): void {
  if (!bases) return;
  const earlier = { y: state.p, d: state.q };
  deviate(earlier, bases.p, denominator !== undefined);
  state.p = earlier.y;
  state.q = earlier.d;
}

function plus(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value;
}

function addEntry(sums: Float64Array, at: number, { p, q }: Amounts): void {
  plus(sums, at + AT.n, 1);
  if (p !== 0) {
    plus(sums, at + AT.p, p);
    plus(sums, at + AT.pp, p * p);
    plus(sums, at + AT.pq, p * q);
    plus(sums, at + AT.ppp, p * p * p);
  }
  if (q !== 0) {
    plus(sums, at + AT.q, q);
    plus(sums, at + AT.qq, q * q);
  }
}

function addStep(sums: Float64Array, at: number, { y: y0, d: d0, p, q }: Amounts, y: number, d: number): void {
  const [yy, yy0] = [y * y, y0 * y0];
  plus(sums, at + AT.y, y - y0);
  plus(sums, at + AT.yy, yy - yy0);
  plus(sums, at + AT.yyy, yy * y - yy0 * y0);
  if (p !== 0) {
    plus(sums, at + AT.yp, (y - y0) * p);
    plus(sums, at + AT.yyp, (yy - yy0) * p);
    plus(sums, at + AT.ypp, (y - y0) * p * p);
  }
  if (d === 0 && d0 === 0 && q === 0) return;
  const [dd, dd0] = [d * d, d0 * d0];
  plus(sums, at + AT.k, (d === 0 ? 0 : 1) - (d0 === 0 ? 0 : 1));
  plus(sums, at + AT.d, d - d0);
  plus(sums, at + AT.dd, dd - dd0);
  plus(sums, at + AT.yd, y * d - y0 * d0);
  plus(sums, at + AT.yq, (y - y0) * q);
  plus(sums, at + AT.dp, (d - d0) * p);
  plus(sums, at + AT.dq, (d - d0) * q);
  plus(sums, at + AT.yyd, yy * d - yy0 * d0);
  plus(sums, at + AT.ydd, y * dd - y0 * dd0);
  plus(sums, at + AT.ddd, dd * d - dd0 * d0);
}

/** The sums that a measure with a denominator does not have. */
const NOT_OF_RATIO = ["yyp", "ypp", "ppp"] as const;

function toDaily(sums: readonly Float64Array[], { denominator, bases }: UnitMeasure, groups: readonly string[]): DailySums[] {
  return sums.flatMap((ofGroup, group) => {
    const daily: DailySums[] = [];
    for (let at = 0, day = 0; at < ofGroup.length; at += WIDTH, day++) {
      const own = ofGroup.subarray(at, at + WIDTH);
      if (own.every((sum) => sum === 0)) continue;
      const named = Object.fromEntries(SUMS.map((name, index) => [name, own[index] as number])) as Named;
      if (denominator) for (const name of NOT_OF_RATIO) named[name] = 0;
      daily.push({ day, groupID: groups[group] as string, sums: { ...named, ...(bases && { bases }) } });
    }
    return daily;
  });
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan, Term } from "../../src/results/plans/plan.ts";
import { type DayOfUnitsRow, type EnteredRow, effectByDayQuery, enteredQuery, trendQuery } from "../../src/results/sql/effect-by-day.ts";
import { SUMS } from "../../src/results/sql/measures.ts";
import { buildAnalysis, DAY_MS, days, randomWorld, START } from "../support/moments.ts";
import { mean, one } from "../support/plans.ts";
import { isMatch, type Logged, numberIn } from "../support/reference-events.ts";
import { onEngine, openEngine, type ResultsEngine, type World } from "../support/results-engine.ts";
import { seedsToRun } from "../support/seeds.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const value: Term = { ...one, sources: [{ event: "buy", criteria: [], number: { of: "value" } }] };
const count: Term = { ...one, sources: [{ event: "view", criteria: [], number: { of: "one" } }] };
const plan = (numerator: Term, denominator?: Term): Plan => ({
  ...mean(numerator, { preMs: 0 }),
  ...(denominator && { denominator: { terms: [denominator], bounds: {} } }),
});

/** Plans with the number of a unit's day by the numbers of its events. */
const PLANS: readonly [Plan, y: (day: Logged[]) => number, d?: (day: Logged[]) => number][] = [
  [plan(one), (day) => numbersOf(one, day).length],
  [plan(value), (day) => sum(numbersOf(value, day))],
  [plan({ ...value, cap: 50 }), (day) => Math.min(50, sum(numbersOf(value, day)))],
  [plan({ ...one, fold: { by: "any" } }), (day) => Math.min(1, numbersOf(one, day).length)],
  [plan({ ...one, fold: { by: "distinct", key: "item" } }), (day) => new Set(numbersOf(one, day, ({ metadata }) => metadata.item)).size],
  [plan({ ...value, fold: { by: "latest" } }), (day) => numbersOf(value, day).at(-1) ?? 0],
  [plan(value, count), (day) => sum(numbersOf(value, day)), (day) => numbersOf(count, day).length],
];
const RATIO = PLANS.length - 1;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function numbersOf<T = number>({ sources: [source] }: Term, day: Logged[], read?: (event: Logged) => T | undefined): T[] {
  if (!source || "marks" in source) return [];
  const matching = day.filter((event) => isMatch(source, event));
  return matching.flatMap((event) => ((read ? read(event) : numberIn(source, event)) ?? []) as T);
}

function grouped<T, Key>(all: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

type Unit = { group: string; time: number; events: Logged[] };

/** The units that saw one group from the start on, with their events since then in their order. */
function unitsOf({ exposures, events }: World, end: number): Unit[] {
  const seen = exposures.filter(({ time }) => time >= START && time < end);
  return seen
    .filter(({ unit }) => seen.filter((other) => other.unit === unit).length === 1)
    .map(({ unit, group, time }) => {
      const own = events.filter((event) => event.unit === unit && event.time >= time && event.time < end);
      return { group, time, events: own.toSorted((a, b) => a.time - b.time || a.id - b.id) };
    });
}

type Amounts = { y: number; d: number; p: number };

/** The sums over rows of amounts, as SUMS names them. */
function sumsOf(rows: readonly Amounts[], isRatio: boolean): Record<string, number> {
  const added = (of: (row: Amounts) => number) => sum(rows.map(of));
  return {
    ...{ n: rows.length, k: isRatio ? added(({ d }) => (d === 0 ? 0 : 1)) : 0, m: added(({ p }) => (p === 0 ? 0 : 1)) },
    ...Object.fromEntries(
      SUMS.slice(3).map((name) => {
        const isSummed = !/[q]/.test(name) && (isRatio ? !["yyp", "ypp", "ppp"].includes(name) : !name.includes("d"));
        return [name, isSummed ? added((row) => [...name].reduce((product, factor) => product * row[factor as keyof Amounts], 1)) : 0];
      }),
    ),
  };
}

function expectRows(actual: readonly DayOfUnitsRow[], expected: ReadonlyMap<string, Record<string, number>>): void {
  const found = new Map(actual.map((row) => [`${row.metric} ${row.grp} ${row.day}`, row]));
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, sums] of expected)
    for (const name of SUMS) {
      const [is, be] = [Number(found.get(key)?.[name]), sums[name] ?? Number.NaN];
      expect(Math.abs(is - be) / Math.max(1, Math.abs(be)), `${name} of ${key}: ${is} for ${be}`).toBeLessThan(1e-11);
    }
}

/** The sums by metric, group and day, of units' days with an event of the metric's terms. */
function expectedByDay(units: readonly Unit[], dayOf: (unit: Unit, event: Logged) => number | undefined) {
  const rows = new Map<string, Amounts[]>();
  for (const unit of units) {
    const events = grouped(unit.events, (event) => dayOf(unit, event) ?? 0);
    for (const [day, own] of events) {
      // All metrics are computed by one statement, which has a row for each day with any of their events.
      if (day === 0 || !own.some(({ name }) => name === "buy" || name === "view")) continue;
      for (const [index, [, y, d]] of PLANS.entries()) {
        const key = `${index} ${unit.group} ${day}`;
        const amount = d ? d(own) : 0;
        rows.set(key, [...(rows.get(key) ?? []), { y: d && amount === 0 ? 0 : y(own), d: amount, p: 0 }]);
      }
    }
  }
  return new Map([...rows].map(([key, own]) => [key, sumsOf(own, key.startsWith(`${RATIO} `))]));
}

const plans = PLANS.map(([one]) => one);

describe("the effect by day", onEngine, () => {
  test.each(seedsToRun([1, 2]))("agrees with a naive computation over units, with seed %i", async (seed) => {
    const world = randomWorld(seed);
    const projectID = `by day ${seed}`;
    await engine.store(projectID, world);
    const { dialect, ask } = engine;
    // The last day is not over.
    const analysis = { ...buildAnalysis(projectID), days: [START], earlierDays: [], end: START + 8.5 * DAY_MS };
    const units = unitsOf(world, analysis.end);
    const bounds = { days: days(2, 8), end: START + 8 * DAY_MS };

    const entered = await ask<EnteredRow>(enteredQuery(analysis, bounds, 3, dialect));
    const counts = grouped(units, ({ group, time }) => {
      const day = Math.max(0, Math.floor((time - START) / DAY_MS) - 1);
      return JSON.stringify([group, day, Math.min(3, Math.floor((analysis.end - time) / DAY_MS))]);
    });
    expect(
      new Map(
        entered.map(({ grp, entered: day, observed, units: n }) => [JSON.stringify([grp, Number(day), Number(observed)]), Number(n)]),
      ),
    ).toEqual(new Map([...counts].map(([key, own]) => [key, own.length])));

    const ofCalendar = await ask<DayOfUnitsRow>(effectByDayQuery(plans, analysis, { of: "calendar", bounds }, dialect));
    expectRows(
      ofCalendar,
      expectedByDay(units, (_, { time }) =>
        time >= START + 2 * DAY_MS && time < bounds.end ? Math.floor((time - START) / DAY_MS) - 1 : undefined,
      ),
    );

    const ofExposure = await ask<DayOfUnitsRow>(effectByDayQuery(plans, analysis, { of: "exposure", count: 4 }, dialect));
    expectRows(
      ofExposure,
      expectedByDay(units, (unit, { time }) => {
        const day = Math.floor((time - unit.time) / DAY_MS) + 1;
        return day <= 4 && unit.time + day * DAY_MS <= analysis.end ? day : undefined;
      }),
    );

    const trends = await ask<DayOfUnitsRow>(trendQuery(plans.slice(0, RATIO), analysis, 3, dialect));
    const expected = new Map<string, Record<string, number>>();
    for (const group of ["control", "test"])
      for (const [index, [, y]] of PLANS.slice(0, RATIO).entries()) {
        const rows = units.flatMap((unit): Amounts[] => {
          const ofDay = (day: number) => unit.events.filter(({ time }) => Math.floor((time - unit.time) / DAY_MS) === day);
          const isActive = [0, 1, 2].some((day) => ofDay(day).some(({ name }) => name === "buy"));
          if (unit.group !== group || unit.time + 3 * DAY_MS > analysis.end || !isActive) return [];
          const [first, second, third] = [0, 1, 2].map((day) => y(ofDay(day))) as [number, number, number];
          // The least-squares line through three days rises by half of the last less the first a day.
          return [{ y: third - first, d: 0, p: (first + second + third) / 3 }];
        });
        if (rows.length > 0) expected.set(`${index} ${group} 1`, sumsOf(rows, false));
      }
    expectRows(trends, expected);
  });
});

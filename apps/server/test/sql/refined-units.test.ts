import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import type { Assignments } from "../../src/results/sql/assignments.ts";
import { propertyField } from "../../src/results/sql/dimension.ts";
import { countsIn, type DimensionRow, dimensionCounts } from "../../src/results/sql/dimension-counts.ts";
import type { ExposureCountsRow } from "../../src/results/sql/exposure-counts.ts";
import type { Property } from "../../src/results/sql/refined-units.ts";
import { qualifiedCounts, type Refining, refinedUnitsQuery } from "../../src/results/sql/refined-units.ts";
import type { SourceTable } from "../../src/results/sql/source-query.ts";
import { shownUnitsQuery, type UnitsRow, unitsQuery } from "../../src/results/sql/units-query.ts";
import type { Exposure } from "../support/exposure.ts";
import { buildAnalysis, DAY_MS, expectEqual, randomWorld, START, seededRandom } from "../support/moments.ts";
import { PLANS } from "../support/plans.ts";
import type { Logged } from "../support/reference-events.ts";
import { cumulated, referenceMoments } from "../support/reference-moments.ts";
import { computeMoments, onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";
import { seedsToRun } from "../support/seeds.ts";
import { asRows, buildSource, DATE_TIME, isOfRows, overRows, rowsOn } from "../support/warehouse-rows.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const { iso, isPostgres, quoted, storeRows, storeTable, pickType } = rowsOn(() => engine);
const END = START + 9 * DAY_MS;

type PropertyRow = { unit: string | null; plan: string | null; time: number | null };

/** The property of a unit: several rows for some units, and rows of units that are not compared. */
function propertyRows(exposures: readonly Exposure[], seed: number): PropertyRow[] {
  const random = seededRandom(seed);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const units = [...new Set(exposures.map(({ unit }) => unit)), "a stranger", null];
  return units.flatMap((unit) =>
    Array.from({ length: Math.floor(random() * 5) }, () => ({
      unit,
      plan: pick(["free", "pro", "team", null]),
      // Some at the same time.
      time: random() < 0.1 ? null : START + Math.floor(random() * 14 - 4) * DAY_MS,
    })),
  );
}

async function storePropertyRows(table: string, rows: readonly PropertyRow[]): Promise<void> {
  const text = isPostgres() ? "text" : "Nullable(String)";
  const time = isPostgres() ? DATE_TIME[0] : `Nullable(${DATE_TIME[1]})`;
  await storeTable(
    table,
    `visitor ${text}, plan ${text}, at ${time}`,
    rows.map(({ unit, plan, time: at }) => [quoted(unit), quoted(plan), at === null ? "null" : iso(at)]),
  );
}

const hash = (text: string) => createHash("md5").update(text).digest().readUInt32BE(0);

/** The plan of a unit as of its first exposure, by a naive search. */
function findPlan(unit: string, rows: readonly PropertyRow[], since: number, known: Property["known"]): string | null {
  const own = rows.filter((row) => row.unit === unit);
  if (!known) return own.flatMap(({ plan }) => plan ?? []).sort((a, b) => hash(a) - hash(b))[0] ?? null;
  const lag = known.isDaily ? DAY_MS : 0;
  const before = own.flatMap(({ plan, time }) => (time !== null && time + lag <= since ? [{ plan, time }] : []));
  return before.sort((a, b) => b.time - a.time || hash(b.plan ?? "") - hash(a.plan ?? ""))[0]?.plan ?? null;
}

async function listed(statement: ReturnType<typeof unitsQuery>): Promise<string> {
  const [row] = await engine.ask<UnitsRow>(statement);
  return row?.listed ?? "";
}

/** A unit's id, its group, when it begins to count in ms, the value of a dimension, and how many ms that is after its first exposure. */
type UnitRow = readonly [id: string, group: string, since: number, dimension: string | null, delay: number];

const givenIn = (text: string) =>
  new Map(
    (JSON.parse(text) as UnitRow[]).map(([id, group, since, dimension, delay]) => [id, { group, since: Number(since), dimension, delay }]),
  );

async function refined(analysis: Analysis, refining: Refining): Promise<string> {
  const units = await listed(unitsQuery(analysis, 1_000, engine.dialect));
  return listed(refinedUnitsQuery(refining, { ...analysis, units }, 1_000, engine.dialect));
}

/** The exposures that count, each unit with its only group. */
function filterCompared(exposures: readonly Exposure[]): Exposure[] {
  const counting = exposures.filter(({ time }) => time >= START && time < END);
  return counting.filter(({ unit }) => counting.filter((one) => one.unit === unit).length === 1);
}

/** The first time that a unit is in the rows at or after its exposure. */
const qualifiesAt = ({ unit, time }: Exposure, rows: readonly Logged[]) =>
  Math.min(...rows.flatMap((row) => (row.unit === unit && row.name === "view" && row.time >= time && row.time < END ? [row.time] : [])));

/** The world where units enter when they qualify, with the events before their exposure moved up to their entry. */
function qualifiedWorld(exposures: readonly Exposure[], events: readonly Logged[]) {
  const entered = filterCompared(exposures).flatMap((one) => {
    const time = qualifiesAt(one, events);
    return time === Number.POSITIVE_INFINITY ? [] : [{ ...one, time, exposed: one.time }];
  });
  const byUnit = new Map(entered.map((one) => [one.unit, one]));
  const counting = events.flatMap((event) => {
    const one = byUnit.get(event.unit);
    if (!one || event.time >= one.time) return [event];
    return event.time < one.exposed ? [{ ...event, time: event.time + one.time - one.exposed }] : [];
  });
  return { exposures: entered as Exposure[], events: counting };
}

describe("a property of units", onEngine, () => {
  test.each([
    ["of a source without times", undefined],
    ["as of the first exposure", { isDaily: false }],
    ["of the days before the first exposure", { isDaily: true }],
  ])("%s agrees with a naive search, and divides the moments", async (name, given) => {
    const world = randomWorld(41);
    const project = `property ${name}`;
    await engine.store(project, world);
    const table = `told_${given === undefined ? "always" : given.isDaily ? "by_day" : "since"}`;
    const rows = propertyRows(world.exposures, 7);
    await storePropertyRows(table, rows);
    const type = isPostgres() ? DATE_TIME[0] : `Nullable(${DATE_TIME[1]})`;
    const known = given && { column: "at", type, ...given };
    const property: Property = {
      query: `select * from ${table} -- a comment`,
      column: "plan",
      unitColumn: "visitor",
      ...(known && { known }),
    };
    const analysis = buildAnalysis(project);
    const units = await refined(analysis, { property });
    const compared = filterCompared(world.exposures);
    const planOfExposure = ({ unit, time }: Exposure) => findPlan(unit, rows, time, known);
    expect(givenIn(units)).toEqual(
      new Map(compared.map((one) => [one.unit, { group: one.group, since: one.time, dimension: planOfExposure(one), delay: 0 }])),
    );
    expect(new Set(compared.map(planOfExposure)).size).toBeGreaterThan(2);

    const field = propertyField({ name: "50% a.b", column: "plan" });
    const [counts] = countsIn(await engine.ask<DimensionRow>(dimensionCounts({ ...analysis, units }, field, engine.dialect)), field);
    const unitsWith = (plan: string | null, group: string) =>
      compared.filter((one) => one.group === group && planOfExposure(one) === plan).length;
    for (const { value, units: found } of counts?.values ?? [])
      for (const group of ["control", "test"]) expect(found[group] ?? 0).toBe(unitsWith(value, group));
    for (const group of ["control", "test"]) expect(counts?.none[group] ?? 0).toBe(unitsWith(null, group));

    const plans = Object.values(PLANS).slice(0, 6);
    const dimension = { of: "values" as const, field: "custom.plan", values: ["pro", "free"] };
    const divided = { ...analysis, dimension };
    const exposures = world.exposures.map((one) => ({ ...one, custom: { plan: planOfExposure(one) } }));
    expectEqual(
      cumulated(await computeMoments(engine, plans, { ...divided, units }), divided),
      referenceMoments(plans, divided, exposures, world.events),
    );
  });
});

describe("units that qualify", onEngine, () => {
  test.each(seedsToRun([51, 52]))(
    "have the moments of a world where they enter when they qualify, on the events' engine: %i",
    async (seed) => {
      const world = randomWorld(seed);
      const events = asRows(world.events);
      await engine.store(`qualified ${seed}`, { exposures: world.exposures, events });
      await storeRows(`qualifying_${seed}`, pickType(DATE_TIME), iso, events);
      const qualifying = buildSource("view", `qualifying_${seed}`, pickType(DATE_TIME));
      const analysis = buildAnalysis(`qualified ${seed}`);
      const units = await refined(analysis, { qualifying });
      const expected = qualifiedWorld(world.exposures, events);
      expect(expected.exposures.length).toBeGreaterThan(5);
      const plans = Object.values(PLANS);
      expectEqual(
        cumulated(await computeMoments(engine, plans, { ...analysis, units }), analysis),
        referenceMoments(plans, analysis, expected.exposures, expected.events),
      );
    },
  );

  test("have the same on the warehouse, and their property as of the exposure", async () => {
    const world = randomWorld(53);
    const events = asRows(world.events);
    await engine.store("qualified rows", { exposures: world.exposures, events: [] });
    await storeRows("rows_53", pickType(DATE_TIME), iso, events);
    const [buy, qualifying] = ["buy", "view"].map((name) => buildSource(name, "rows_53", pickType(DATE_TIME))) as [
      SourceTable,
      SourceTable,
    ];
    const rows = propertyRows(world.exposures, 9);
    await storePropertyRows("told_53", rows);
    const known = { column: "at", type: isPostgres() ? DATE_TIME[0] : `Nullable(${DATE_TIME[1]})`, isDaily: false };
    const property: Property = { query: "select * from told_53", column: "plan", unitColumn: "visitor", known };
    const analysis = buildAnalysis("qualified rows");
    const units = await refined(analysis, { qualifying, property });
    const expected = qualifiedWorld(world.exposures, events);
    const exposedAt = new Map(world.exposures.map(({ unit, time }) => [unit, time]));
    const planOfUnit = (unit: string) => findPlan(unit, rows, exposedAt.get(unit) as number, known);
    await storeTable(
      "shown_53",
      isPostgres() ? "visitor text, variant text, at bigint" : "visitor String, variant String, at Int64",
      world.exposures.map(({ unit, group, time }) => [quoted(unit), quoted(group), String(time)]),
    );
    const assignments: Assignments = {
      ...{
        query: "select *, 'e' as kind from shown_53",
        timestampColumn: "at",
        timestampType: pickType(["bigint", "Int64"]),
        unitColumn: "visitor",
      },
      ...{ experimentIDColumn: "kind", experimentID: "e", groupIDColumn: "variant", criteria: [] },
      groups: ["control", "test"].map((id) => ({ id, name: id })),
    };
    const refining = { qualifying, property };
    const assigned = await listed(refinedUnitsQuery(refining, { ...analysis, units: assignments }, 1_000, engine.dialect));
    // Units assigned before the start are not part of the run.
    const early = new Set(world.exposures.filter(({ time }) => time < START).map(({ unit }) => unit));
    expect(givenIn(assigned)).toEqual(new Map([...givenIn(units)].filter(([unit]) => !early.has(unit))));
    for (const [unit, { dimension, delay, since }] of givenIn(units)) {
      expect(dimension).toBe(planOfUnit(unit));
      expect(since - delay).toBe(exposedAt.get(unit));
    }
    const plans = Object.values(PLANS).filter(isOfRows).map(overRows);
    const divided: Analysis = { ...analysis, dimension: { of: "values", field: "custom.plan", values: ["pro"] } };
    const exposures = expected.exposures.map((one) => ({ ...one, custom: { plan: planOfUnit(one.unit) } }));
    expectEqual(
      cumulated(await computeMoments(engine, plans, { ...divided, units, sources: [buy, qualifying] }), divided),
      referenceMoments(plans, divided, exposures, expected.events),
    );
  });

  test("are counted by group, and apart if they saw two", async () => {
    const world = randomWorld(51);
    const events = asRows(world.events);
    await engine.store("counted", { exposures: world.exposures, events: [] });
    await storeRows("counted_rows", pickType(DATE_TIME), iso, events);
    const qualifying = buildSource("view", "counted_rows", pickType(DATE_TIME));
    const { projectID, exposureSource, environments } = buildAnalysis("counted");
    const exposed = {
      projectID,
      exposureSource: exposureSource as Extract<typeof exposureSource, { type: "experiment" }>,
      environments,
      startTime: START,
      endTime: END,
    };
    const shown = await listed(shownUnitsQuery(exposed, 1_000, engine.dialect));
    const counts = await engine.ask<ExposureCountsRow>(qualifiedCounts(shown, qualifying, exposed, engine.dialect));
    const counting = world.exposures.filter(({ time }) => time >= START && time < END);
    const firstTime = (unit: string) => Math.min(...counting.flatMap((one) => (one.unit === unit ? [one.time] : [])));
    const qualified = counting.filter((one) => Number.isFinite(qualifiesAt({ ...one, time: firstTime(one.unit) }, events)));
    const isCrossed = ({ unit }: Exposure) => qualified.filter((one) => one.unit === unit).length > 1;
    for (const group of ["control", "test"]) {
      const own = qualified.filter((one) => one.group === group);
      const crossed = own.filter(isCrossed).length;
      expect(counts.find(({ grp }) => grp === group)).toEqual({
        ...{ grp: group, alone: own.length - crossed, crossed, crossed_share: crossed / 2 },
      });
    }
    expect(qualified.some(isCrossed)).toBe(true);
  });
});

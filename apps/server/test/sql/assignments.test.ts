import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PercentilePlan } from "../../src/results/plans/plan.ts";
import type { Assignments } from "../../src/results/sql/assignments.ts";
import { assignmentCounts, type ExposureCountsRow } from "../../src/results/sql/exposure-counts.ts";
import { percentileQuery } from "../../src/results/sql/percentile-query.ts";
import type { Exposure } from "../support/exposure.ts";
import { buildAnalysis, DAY_MS, days, expectEqual, randomWorld, START, seededRandom } from "../support/moments.ts";
import { PLANS } from "../support/plans.ts";
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

type Row = { experiment?: string; unit: string | null; group: string | null; name?: string | null; time: number | null; platform?: string };

async function storeAssignments(table: string, rows: readonly Row[], [type, formatTime] = [pickType(DATE_TIME), iso]): Promise<void> {
  const text = isPostgres() ? "text" : "Nullable(String)";
  const time = isPostgres() ? type : `Nullable(${type})`;
  await storeTable(
    table,
    `"test" ${text}, visitor ${text}, variant ${text}, variant_name ${text}, at ${time}, platform ${text}`,
    rows.map(({ experiment = "e", unit, group, name, time: at, platform = "web" }) => [
      ...[quoted(experiment), quoted(unit), quoted(group), quoted(name)],
      ...[at === null ? "null" : formatTime(at), quoted(platform)],
    ]),
  );
}

const assignmentsIn = (table: string, rest: Partial<Assignments> = {}): Assignments => ({
  ...{ query: `select * from ${table} -- a comment`, timestampColumn: "at", unitColumn: "visitor" },
  timestampType: isPostgres() ? DATE_TIME[0] : `Nullable(${DATE_TIME[1]})`,
  ...{ experimentIDColumn: "test", experimentID: "e", groupIDColumn: "variant" },
  groups: [
    { id: "control", name: "The control" },
    { id: "test", name: "The test" },
  ],
  criteria: [],
  ...rest,
});

/** In ClickHouse, tables of a WITH hide those that are shared by name even from the ones before them, unless the database is named. */
async function qualified(table: string): Promise<string> {
  if (isPostgres()) return table;
  const [row] = await engine.ask<{ name: string }>({ text: "select currentDatabase() as name", parameters: [] });
  return `${row?.name}.${table}`;
}

/** Each exposure several times, some by the name of the group, among rows that do not count. */
function toRows(exposures: readonly Exposure[], seed: number): Row[] {
  const random = seededRandom(seed);
  const shown = exposures.flatMap(({ unit, group, time }) => {
    const later = Array.from({ length: Math.floor(random() * 4) }, () => time + Math.floor(random() * 5 * DAY_MS));
    return [time, ...later].map((at): Row => {
      const named = { unit, group: random() < 0.5 ? null : "an old id", name: `The ${group}`, time: at };
      return random() < 0.5 ? named : { unit, group, name: null, time: at };
    });
  });
  const [first] = exposures as [Exposure, ...Exposure[]];
  const others: Row[] = [
    { unit: first.unit, group: first.group === "test" ? "control" : "test", time: first.time, experiment: "another" },
    { unit: first.unit, group: "a third", name: "The third", time: START - DAY_MS },
    { unit: first.unit, group: first.group, time: START - DAY_MS, platform: "ios" },
    { unit: first.unit, group: "test", time: START + 20 * DAY_MS },
    { unit: null, group: "test", time: START },
    { unit: "", group: "test", time: START },
    { unit: "without time", group: "test", time: null },
  ];
  return [...shown, ...others].toSorted(() => random() - 0.5);
}

const OF_WEB: Assignments["criteria"] = [{ type: "metadata", column: "platform", condition: "in", values: ["web"] }];

/** Without units that saw a group before the start. */
const sinceStart = (exposures: readonly Exposure[]) =>
  exposures.filter(({ unit }) => exposures.every((one) => one.unit !== unit || one.time >= START));

describe("with units from an assignment source", onEngine, () => {
  test.each(seedsToRun([31, 32, 33]))("the moments of metrics agree with a naive computation over a random world: %i", async (seed) => {
    const world = randomWorld(seed);
    const events = asRows(world.events);
    // The statement itself has tables of these names.
    const tables = seed === 31 ? { shown: "unit", done: "daily" } : { shown: `shown_${seed}`, done: `done_${seed}` };
    await storeRows(tables.done, pickType(DATE_TIME), iso, events);
    await storeAssignments(tables.shown, toRows(world.exposures, seed));
    const sources = ["buy", "view"].map((name) => buildSource(name, tables.done, pickType(DATE_TIME)));
    const query = `select * from ${await qualified(tables.shown)} -- a comment`;
    const units = assignmentsIn(tables.shown, { query, groupNameColumn: "variant_name", criteria: OF_WEB });
    const analysis = { ...buildAnalysis("none"), sources, units };
    const plans = Object.values(PLANS).filter(isOfRows).map(overRows);
    const exposures = sinceStart(world.exposures);
    expect(exposures.length).toBeLessThan(world.exposures.length);
    const expected = referenceMoments(plans, analysis, exposures, events);
    expect(expected.size).toBeGreaterThan(plans.length * 10);
    expectEqual(cumulated(await computeMoments(engine, plans, analysis), analysis), expected);

    const counts = await engine.ask<ExposureCountsRow>(
      assignmentCounts(units, { startTime: START, endTime: START + 9 * DAY_MS }, engine.dialect),
    );
    const seen = exposures.filter(({ time }) => time < START + 9 * DAY_MS);
    const isCrossed = ({ unit }: Exposure) => new Set(seen.flatMap((one) => (one.unit === unit ? [one.group] : []))).size > 1;
    for (const group of ["control", "test"]) {
      const own = seen.filter((one) => one.group === group);
      const crossed = own.filter(isCrossed).length;
      expect(counts.find(({ grp }) => grp === group)).toEqual({
        ...{ grp: group, alone: own.length - crossed, crossed, crossed_share: crossed / 2 },
      });
    }
  });

  test("percentiles are of these units", async () => {
    await storeAssignments("shown_spread", [
      { unit: "u", group: "test", time: START },
      { unit: "other", group: "test", time: START - 1 },
    ]);
    const bought = (unit: string, value: string, after: number) => ({
      ...{ id: 1, unit, name: "buy", value, metadata: {}, country: "NO" },
      time: START + after,
    });
    await storeRows("spread", pickType(DATE_TIME), iso, [bought("u", "10", 1), bought("u", "30", 2), bought("other", "500", 1)]);
    const plan = overRows<PercentilePlan>({
      ...{ percentile: 0.5, sources: [{ event: "buy", criteria: [], number: { of: "value" } }], span: { from: 0, to: null } },
      waitsForSpan: false,
    });
    const given = { sources: [buildSource("buy", "spread", pickType(DATE_TIME))], units: assignmentsIn("shown_spread") };
    const analysis = { ...buildAnalysis("none"), days: days(0, 1), earlierDays: [], ...given };
    expect(await engine.ask(percentileQuery(plan, analysis, engine.dialect))).toMatchObject([
      { grp: "test", value: 20, units: 1, events: 2 },
    ]);
  });

  test("times can be milliseconds, and columns have any name and be numbers", async () => {
    await storeTable(
      "numbered",
      isPostgres() ? `"e""x" bigint, "the unit" integer, g integer, at bigint` : `\`e"x\` Int64, \`the unit\` Int32, g Int32, at Int64`,
      [["7", "12", "1", `${START}`]],
    );
    const units = assignmentsIn("numbered", {
      ...{ timestampType: pickType(["bigint", "Int64"]), unitColumn: "the unit", experimentIDColumn: `e"x`, experimentID: "7" },
      ...{ groupIDColumn: "g", groups: [{ id: "1", name: "One" }] },
      criteria: [{ type: "metadata", column: "the unit", condition: ">", values: ["9"] }],
    });
    const scope = { startTime: START, endTime: START + DAY_MS };
    const ask = (asked: Assignments) => engine.ask(assignmentCounts(asked, scope, engine.dialect));
    expect(await ask(units)).toEqual([{ grp: "1", alone: 1, crossed: 0, crossed_share: 0 }]);
    expect(await ask({ ...units, criteria: [{ type: "metadata", column: "the unit", condition: ">", values: ["12"] }] })).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PercentilePlan, Plan, Term } from "../../src/results/plans/plan.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { percentileQuery } from "../../src/results/sql/percentile-query.ts";
import type { SourceTable } from "../../src/results/sql/source-query.ts";
import { type UnitsRow, unitsQuery } from "../../src/results/sql/units-query.ts";
import { buildAnalysis, DAY_MS, days, expectEqual, randomWorld, START } from "../support/moments.ts";
import { one, PLANS } from "../support/plans.ts";
import type { Logged } from "../support/reference-events.ts";
import { cumulated, referenceMoments } from "../support/reference-moments.ts";
import { computeMoments, onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";
import { asRows, buildSource, DATE_TIME, isOfRows, overRows, rowsOn } from "../support/warehouse-rows.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const { isPostgres, storeRows, pickType, iso: ISO } = rowsOn(() => engine);

async function withUnits(analysis: Analysis, sources: SourceTable[]): Promise<Analysis> {
  const [row] = await engine.ask<UnitsRow>(unitsQuery(analysis, 1_000, engine.dialect));
  return { ...analysis, sources, units: row?.listed ?? "" };
}

describe("the moments of metrics over rows of a warehouse agree with a naive computation", onEngine, () => {
  test("over random rows, for any names of its tables", async () => {
    const world = randomWorld(21);
    const events = asRows(world.events);
    await engine.store("rows", { ...world, events: [] });
    // The statement itself has a table of this name.
    await storeRows("daily", pickType(DATE_TIME), ISO, events);
    const sources = ["buy", "view"].map((name) => buildSource(name, "daily", pickType(DATE_TIME)));
    const analysis = await withUnits(buildAnalysis("rows"), sources);
    const plans = Object.values(PLANS).filter(isOfRows).map(overRows);
    const expected = referenceMoments(plans, analysis, world.exposures, events);
    expect(expected.size).toBeGreaterThan(plans.length * 10);
    expectEqual(cumulated(await computeMoments(engine, plans, analysis), analysis), expected);
  });

  test.each([
    ["time stamps without a zone", ["timestamp without time zone", "DateTime64(6, 'UTC')"], (time: number) => ISO(time).replace("Z", "")],
    ["milliseconds since the epoch", ["bigint", "Int64"], String],
  ] as const)("with times that are %s", async (name, types, formatTime) => {
    const world = randomWorld(22);
    const events = asRows(world.events);
    await engine.store(name, { ...world, events: [] });
    const table = `rows_${name.slice(0, 4)}`;
    await storeRows(table, pickType(types), formatTime, events);
    const analysis = await withUnits(buildAnalysis(name), [buildSource("buy", table, pickType(types))]);
    const plans = [overRows(PLANS["a sum"] as Plan)];
    expectEqual(
      cumulated(await computeMoments(engine, plans, analysis), analysis),
      referenceMoments(plans, analysis, world.exposures, events),
    );
  });
});

describe("rows of a warehouse", onEngine, () => {
  const exposure = { unit: "u", group: "test", time: START + DAY_MS / 2, country: "NO" };
  const bought = (time: number): Logged => ({ id: 1, unit: "u", name: "buy", time, value: "3", metadata: {}, country: "NO" });
  const count: Plan = { numerator: { terms: [one], bounds: {} }, waitsForSpan: false, preMs: 7 * DAY_MS };

  test("that tell only their day count after an exposure on that day, and before one on the next", async () => {
    await engine.store("daily", { exposures: [exposure], events: [] });
    const day = (time: number) => `'${new Date(time).toISOString().slice(0, 10)}'`;
    const type = pickType(["date", "Date"]);
    await storeRows("by_day", type, day, [bought(START), bought(START - DAY_MS), bought(START + 20 * DAY_MS)]);
    const analysis = await withUnits(buildAnalysis("daily"), [buildSource("buy", "by_day", type, { isDaily: true })]);
    const [row] = await computeMoments(engine, [count], analysis);
    expect(row).toMatchObject({ grp: "test", n: 1, y: 1, p: 1 });
  });

  test("are read from the partition of the day before the first that counts", async () => {
    await engine.store("partition", { exposures: [exposure], events: [] });
    await storeRows("partitioned", pickType(["bigint", "Int64"]), String, [bought(exposure.time + 1)]);
    const type = pickType(["date", "Date"]);
    await engine.command(`alter table partitioned add column ds ${type} default '2001-01-01'`);
    const source = buildSource("buy", "partitioned", pickType(["bigint", "Int64"]));
    const read = async (rest: Partial<SourceTable>) =>
      computeMoments(engine, [count], await withUnits(buildAnalysis("partition"), [{ ...source, ...rest }]));
    expect(await read({})).toMatchObject([{ n: 1, y: 1 }]);
    expect(await read({ partition: { column: "ds" } })).toMatchObject([{ n: 1, y: 0 }]);
  });

  test("have columns that formulas compute, under names with quotes", async () => {
    await engine.store("formulas", { exposures: [exposure], events: [] });
    await storeRows("computed", pickType(["bigint", "Int64"]), String, [bought(exposure.time + 1)]);
    const amount = isPostgres() ? "amount::int * 2" : "toInt32(amount) * 2";
    const formulas = new Map([[`dou"ble's`, amount]]);
    const analysis = await withUnits(buildAnalysis("formulas"), [
      buildSource("buy", "computed", pickType(["bigint", "Int64"]), { formulas }),
    ]);
    const sum: Term = { ...one, sources: [{ event: "buy", criteria: [], number: { of: "metadata", key: `dou"ble's` } }] };
    expect(await computeMoments(engine, [{ ...count, numerator: { terms: [sum], bounds: {} } }], analysis)).toMatchObject([{ n: 1, y: 6 }]);
  });

  test("have percentiles", async () => {
    await engine.store("percentiles", { exposures: [exposure], events: [] });
    await storeRows("spread", pickType(["bigint", "Int64"]), String, [
      { ...bought(exposure.time + 1), value: "10" },
      { ...bought(exposure.time + 2), value: "30" },
    ]);
    const plan = overRows<PercentilePlan>({
      ...{ percentile: 0.5, sources: [{ event: "buy", criteria: [], number: { of: "value" } }], span: { from: 0, to: null } },
      waitsForSpan: false,
    });
    const asked = { ...buildAnalysis("percentiles"), days: days(0, 1), earlierDays: [] };
    const analysis = await withUnits(asked, [buildSource("buy", "spread", pickType(["bigint", "Int64"]))]);
    expect(await engine.ask(percentileQuery(plan, analysis, engine.dialect))).toMatchObject([
      { grp: "test", value: 20, units: 1, events: 2 },
    ]);
  });
});

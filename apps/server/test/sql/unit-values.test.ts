import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { likenessKey, METRICS_PER_STATEMENT } from "../../src/results/plans/load-parts.ts";
import type { Plan } from "../../src/results/plans/plan.ts";
import { unitCells, type ValuesEnd } from "../../src/results/reports/unit-level.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import {
  isBounded,
  type UnitBoundsRow,
  type UnitRow,
  type UnitValuesRow,
  unitBoundsQuery,
  unitPageQuery,
  unitValuesQuery,
} from "../../src/results/sql/unit-values-query.ts";
import { buildAnalysis, DAY_MS, expectEqual, randomWorld, START } from "../support/moments.ts";
import { PLANS } from "../support/plans.ts";
import { referenceMoments } from "../support/reference-moments.ts";
import { onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";
import { seedsToRun } from "../support/seeds.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const PAGE = 15;
// Sums of deviations from a base are not those of values.
const plans = Object.values(PLANS).filter(({ bases }) => bases === undefined);
/** The metrics that one statement computes, by their indexes. */
const parts = [...new Set(plans.map(likenessKey))].flatMap((key) => {
  const alike = [...plans.keys()].filter((index) => likenessKey(plans[index] as Plan) === key);
  const starts = alike.filter((_, at) => at % METRICS_PER_STATEMENT === 0);
  return starts.map((_, at) => alike.slice(at * METRICS_PER_STATEMENT, (at + 1) * METRICS_PER_STATEMENT));
});

async function* pages(analysis: Analysis, before: number): AsyncGenerator<UnitRow[]> {
  for (let after = ""; ; ) {
    const page = await engine.ask<UnitRow>(unitPageQuery(analysis, { after, before, most: PAGE }, engine.dialect));
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.id ?? "";
  }
}

type Unit = { group: string; cells: Map<string, number> };

/** The units as a report has them, by their ids. */
async function readUnits(analysis: Analysis, valuesEnd: ValuesEnd): Promise<Map<string, Unit>> {
  const { dialect, ask } = engine;
  const units = new Map<string, Unit>();
  const bounds: UnitBoundsRow[] = [];
  for (const part of parts) {
    const own = part.map((index) => plans[index] as Plan);
    bounds.push(own.some(isBounded) ? ((await ask<UnitBoundsRow>(unitBoundsQuery(own, analysis, dialect)))[0] as UnitBoundsRow) : {});
  }
  for await (const page of pages(analysis, valuesEnd.end)) {
    for (const { id, grp } of page) units.set(id, { group: grp, cells: new Map() });
    const listed = JSON.stringify(page.map(({ id, grp, since }) => [id, grp, Number(since), null, 0]));
    for (const [at, part] of parts.entries()) {
      const own = part.map((index) => plans[index] as Plan);
      for (const row of await ask<UnitValuesRow>(unitValuesQuery(own, { ...analysis, units: listed, end: valuesEnd.end }, dialect))) {
        const since = Number(page.find(({ id }) => id === row.id)?.since);
        for (const [index, plan] of own.entries())
          for (const [name, value] of unitCells({ metricID: `${part[index]}`, plan, index }, row, since, bounds[at] ?? {}, valuesEnd))
            units.get(row.id)?.cells.set(name, value);
      }
    }
  }
  return units;
}

/** The sums of values over the units of each group, as an analyst adds them up. */
function addUp(units: Iterable<Unit>, day: number): ReturnType<typeof referenceMoments> {
  const sums: ReturnType<typeof referenceMoments> = new Map();
  for (const { group, cells } of units)
    for (const index of plans.keys()) {
      const read = (name: string) => cells.get(`${index}::${name}`) ?? 0;
      if (!cells.has(`${index}::value`)) continue;
      const [y, d, p, q] = [read("value"), read("denominator"), read("preExposureValue"), read("preExposureDenominator")];
      const isRatio = plans[index]?.denominator !== undefined;
      const added = {
        ...{ n: 1, k: isRatio && d !== 0 ? 1 : 0, m: p !== 0 ? 1 : 0 },
        ...{ y, yy: y * y, d, dd: d * d, yd: y * d, p, pp: p * p, q, qq: q * q, pq: p * q, yp: y * p, yq: y * q, dp: d * p, dq: d * q },
        ...{ yyy: y ** 3, yyd: y * y * d, ydd: y * d * d, ddd: d ** 3 },
        ...(isRatio ? { yyp: 0, ypp: 0, ppp: 0 } : { yyp: y * y * p, ypp: y * p * p, ppp: p ** 3 }),
      };
      const key = `${index} ${group} null ${day}`;
      const before = sums.get(key);
      sums.set(
        key,
        before
          ? (Object.fromEntries(
              Object.entries(added).map(([name, value]) => [name, before[name as keyof typeof before] + value]),
            ) as typeof before)
          : added,
      );
    }
  return sums;
}

describe("the values of units", onEngine, () => {
  test.each(seedsToRun([1]))(
    "add up to the moments of a naive computation, page by page, as of the last and of an earlier day, with seed %i",
    async (seed) => {
      const world = randomWorld(seed);
      const projectID = `unit values ${seed}`;
      await engine.store(projectID, world);
      const analysis = buildAnalysis(projectID);
      const expected = referenceMoments(plans, analysis, world.exposures, world.events);
      const ofDay = (day: number) => new Map([...expected].filter(([key, { n }]) => key.endsWith(` null ${day}`) && n > 0));
      for (const [day, isLast] of [
        [9, true],
        [5, false],
      ] as const) {
        const units = await readUnits(analysis, { end: START + day * DAY_MS, isLast });
        expect(units.size).toBeGreaterThan(PAGE);
        expectEqual(addUp(units.values(), day), ofDay(day));
      }
    },
  );
});

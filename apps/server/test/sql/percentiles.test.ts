import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PercentilePlan } from "../../src/results/plans/plan.ts";
import { computeLevels, type FoundPercentile, foundPercentile } from "../../src/results/pulse/percentiles.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { type BoundsRow, boundsQuery, type PercentileRow, percentileQuery } from "../../src/results/sql/percentile-query.ts";
import { buildAnalysis, DAY_MS, days, randomWorld, START } from "../support/moments.ts";
import { referencePercentiles } from "../support/reference-percentiles.ts";
import { onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";
import { seedsToRun } from "../support/seeds.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

async function find(plan: PercentilePlan, analysis: Analysis): Promise<FoundPercentile> {
  const rows = await engine.ask<PercentileRow>(percentileQuery(plan, analysis, engine.dialect));
  const levels = computeLevels(rows, plan.percentile);
  const bounds = levels.length > 0 ? await engine.ask<BoundsRow>(boundsQuery(plan, levels, analysis, engine.dialect)) : [];
  return foundPercentile(plan.percentile, rows, levels, bounds);
}

const median: PercentilePlan = {
  percentile: 0.5,
  sources: [{ event: "buy", criteria: [], number: { of: "value" } }],
  span: { from: 0, to: null },
  waitsForSpan: false,
};
const week = { from: 0, to: 7 * DAY_MS };
const PLANS: Record<string, PercentilePlan> = {
  "a median": median,
  "a high one": { ...median, percentile: 0.9 },
  "a low one": { ...median, percentile: 0.137 },
  "in a window": { ...median, span: { from: DAY_MS, to: 4 * DAY_MS } },
  "in a window that is over": { ...median, span: week, waitsForSpan: true },
  "of a number in the metadata": { ...median, sources: [{ event: "buy", criteria: [], number: { of: "metadata", key: "items" } }] },
  "of events that meet a criterion": {
    ...median,
    sources: [{ event: "buy", criteria: [{ type: "value", condition: ">", values: ["7"] }], number: { of: "value" } }],
  },
  "of two events": {
    ...median,
    sources: [...median.sources, { event: "view", criteria: [], number: { of: "value" } }],
  },
};

const asOfOneDay = (projectID: string): Analysis => ({ ...buildAnalysis(projectID), days: days(0, 1), earlierDays: [] });

describe("percentiles agree with a naive computation over random events", onEngine, () => {
  test.each(seedsToRun([11, 12, 13]))("with seed %i", async (seed) => {
    const world = randomWorld(seed);
    await engine.store(`seed ${seed}`, world);
    const analysis = asOfOneDay(`seed ${seed}`);
    for (const [name, plan] of Object.entries(PLANS)) {
      const { groups } = await find(plan, analysis);
      const expected = referencePercentiles(plan, analysis, world);
      expect(Object.keys(groups).sort(), name).toEqual([...expected.keys()].sort());
      for (const [group, { units, events, value, levelError, intervals }] of expected) {
        const found = groups[group];
        expect([found?.units, found?.events], name).toEqual([units, events]);
        const actual = [
          found?.value,
          found?.levelError,
          ...(found?.intervals ?? []).flatMap((one) => [one.confidence, one.lower, one.upper]),
        ];
        const wanted = [value, levelError, ...intervals.flat()];
        expect(actual.length, `${name} of ${group}`).toBe(wanted.length);
        for (const [index, number] of wanted.entries())
          expect(Math.abs((actual[index] ?? Number.NaN) - number) / Math.max(1, Math.abs(number)), `${name} of ${group}`).toBeLessThan(
            1e-12,
          );
      }
    }
  });
});

describe("a percentile", onEngine, () => {
  const exposure = { unit: "u", group: "test", time: START, country: "NO" };
  const event = { id: 1, unit: "u", name: "buy", time: START + DAY_MS, value: "5", metadata: {}, country: "NO" };

  test("of one unit has a value without an error", async () => {
    await engine.store("one unit", { exposures: [exposure], events: [event, { ...event, id: 2, value: "8" }] });
    expect(await find(median, asOfOneDay("one unit"))).toEqual({
      level: 0.5,
      groups: { test: { units: 1, events: 2, value: 6.5, intervals: [] } },
    });
  });

  test("has no group whose units have no number", async () => {
    await engine.store("no number", { exposures: [exposure], events: [{ ...event, value: "none" }] });
    expect(await find(median, asOfOneDay("no number"))).toEqual({ level: 0.5, groups: {} });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { type CrossedRow, crossedCounts } from "../../src/results/sql/crossed-counts.ts";
import { buildAnalysis, DAY_MS, START } from "../support/moments.ts";
import { mean, one } from "../support/plans.ts";
import { computeMoments, onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

describe("units that two experiments divide", onEngine, () => {
  test("count by the groups of both, without those that saw one experiment or two groups of the other", async () => {
    const exposure = { time: START + DAY_MS, country: "NO" };
    const seen = (unit: string, group: string, ...others: string[]) => [
      { ...exposure, unit, group },
      ...others.map((other) => ({ ...exposure, unit, group: other, experiment: "other", time: START - DAY_MS })),
    ];
    const exposures = [
      ...seen("a", "control", "blue"),
      ...seen("b", "control", "green"),
      ...seen("c", "test", "green"),
      ...seen("d", "test", "green"),
      ...seen("only here", "test"),
      ...seen("in two groups", "test", "blue", "green"),
      ...seen("in a removed group", "test", "red"),
      { ...exposure, unit: "only there", group: "blue", experiment: "other" },
    ];
    const event = { name: "buy", value: "", metadata: {}, country: "NO", time: START + 2 * DAY_MS };
    const events = ["a", "c", "c", "d", "only here"].map((unit, index) => ({ ...event, unit, id: index + 1 }));
    await engine.store("crossed", { exposures, events });
    const analysis: Analysis = {
      ...buildAnalysis("crossed"),
      exposureSource: {
        ...{ type: "experiment", id: "e", groupIDs: ["control", "test"] },
        crossed: { id: "other", groupIDs: ["blue", "green"], startTime: START - 2 * DAY_MS },
      },
      dimension: { of: "fields" },
    };
    const counts = await engine.ask<CrossedRow>(crossedCounts(analysis, engine.dialect));
    expect(counts.map(({ grp, dim, units }) => [grp, dim, Number(units)])).toEqual([
      ["control", "blue", 1],
      ["control", "green", 1],
      ["test", "green", 2],
    ]);
    const rows = await computeMoments(engine, [mean(one)], analysis);
    const added = new Map<string, [n: number, y: number]>();
    for (const { grp, dim, n, y } of rows) {
      const before = added.get(`${grp} ${dim}`) ?? [0, 0];
      added.set(`${grp} ${dim}`, [before[0] + n, before[1] + y]);
    }
    expect([...added].sort()).toEqual([
      ["control blue", [1, 1]],
      ["control green", [1, 0]],
      ["test green", [2, 3]],
    ]);
  });
});

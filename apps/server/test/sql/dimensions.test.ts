import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan, Term } from "../../src/results/plans/plan.ts";
import {
  countsIn,
  type DimensionCounts,
  type DimensionRow,
  dimensionCounts,
  total,
  type Units,
} from "../../src/results/sql/dimension-counts.ts";
import { type Exposure, readField } from "../support/exposure.ts";
import { buildAnalysis, DAY_MS, expectEqual, randomWorld, START, seededRandom } from "../support/moments.ts";
import { cumulated, referenceMoments } from "../support/reference-moments.ts";
import { computeMoments, onEngine, openEngine, type ResultsEngine, type World } from "../support/results-engine.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const sum: Term = { sources: [{ event: "buy", criteria: [], number: { of: "value" } }], fold: { by: "sum" }, span: { from: 0, to: null } };
const count: Term = { ...sum, sources: [{ event: "buy", criteria: [], number: { of: "one" } }] };
const mean: Plan = { numerator: { terms: [sum], bounds: {} }, waitsForSpan: false, preMs: 7 * DAY_MS };
const PLANS: Plan[] = [
  mean,
  { ...mean, denominator: { terms: [count], bounds: {} } },
  { ...mean, numerator: { terms: [sum], bounds: { low: 0.1, high: 0.8 } } },
  { ...mean, numerator: { terms: [{ ...sum, span: { from: 0, to: 3 * DAY_MS } }], bounds: {} }, waitsForSpan: true },
];

/** Values that are easily mistaken for each other, for SQL, or for the mark of a missing value. */
const ODD = [
  "",
  "=",
  "=pro",
  "null",
  null,
  undefined,
  "it's",
  '"',
  "\\",
  "%",
  "$1",
  "; drop table event",
  "ü",
  "Ü",
  "🦊",
  "עברית",
  " pro",
  "pro",
];
const TYPED = [true, "true", 1, "1", 1.5, { a: [1] }, ["a", "b"]];

/** A world whose users have odd values under odd names, and one value for nearly each. */
function dividedWorld(seed: number): World {
  const random = seededRandom(seed);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const { exposures, events } = randomWorld(seed);
  const custom = () => ({
    "it's": pick(ODD),
    "a.b": pick(TYPED),
    "": "no name",
    unit: Math.floor(random() * 1_000),
    country: pick(["x", "y"]),
  });
  return { events, exposures: exposures.map((one): Exposure => (random() < 0.1 ? one : { ...one, custom: custom() })) };
}

/** The exposures of the units that count. */
function compared({ exposures }: World): Exposure[] {
  const within = exposures.filter(({ time }) => time >= START && time < START + 9 * DAY_MS);
  return within.filter((one) => within.every(({ unit, group }) => unit !== one.unit || group === one.group));
}

const counted = async (projectID: string, field?: string): Promise<DimensionCounts[]> => {
  const statement = dimensionCounts(buildAnalysis(projectID), field, engine.dialect);
  return countsIn(await engine.ask<DimensionRow>(statement), field);
};

/** The units of each value in each group, with undefined for those without the field. */
function unitsByValue(world: World, field: string): Map<string | undefined, Units> {
  const byValue = new Map<string | undefined, Units>();
  for (const one of compared(world)) {
    const units = byValue.get(readField(one, field)) ?? {};
    byValue.set(readField(one, field), { ...units, [one.group]: (units[one.group] ?? 0) + 1 });
  }
  return byValue;
}

const withoutZeros = (units: Units) => Object.fromEntries(Object.entries(units).filter(([, count]) => count > 0));

describe("moments by a field of the user at the first exposure agree with a naive computation", onEngine, () => {
  test.each([
    ["country", ["NO", "CH"]],
    ["country", ["NO"]],
    ["custom.it's", ODD.filter((value): value is string => typeof value === "string")],
    ["custom.it's", ["", "=", "it's", "🦊"]],
    ["custom.a.b", ["true", "1", '{"a":[1]}']],
    ["custom.a.b", []],
    ["custom.nobody has it", ["x"]],
    ["custom.country", ["x", "y"]],
  ])("%s, with the values %j", async (field, values) => {
    const projectID = `${field} ${values.length}`;
    const world = dividedWorld(values.length + 7);
    await engine.store(projectID, world);
    const analysis = { ...buildAnalysis(projectID), dimension: { of: "values" as const, field, values } };
    const expected = referenceMoments(PLANS, analysis, world.exposures, world.events);
    expectEqual(cumulated(await computeMoments(engine, PLANS, analysis), analysis), expected);
  });
});

describe("units by the values of a field", onEngine, () => {
  test.each(["country", "custom.it's", "custom.a.b", "custom.country"])("%s: agree with a naive count", async (field) => {
    const world = dividedWorld(11);
    await engine.store(`units by ${field}`, world);
    const expected = unitsByValue(world, field);
    const [counts, ...further] = await counted(`units by ${field}`, field);
    expect(further).toEqual([]);
    expect(withoutZeros(counts?.none ?? {})).toEqual(expected.get(undefined) ?? {});
    expected.delete(undefined);
    expect(new Map(counts?.values.map(({ value, units }) => [value, units]))).toEqual(expected);
    expect(counts?.others).toEqual({ values: 0, units: {} });
  });

  test("are distinguished for the 20 values with the most units, and counted together for the others", async () => {
    // Value 0 has 30 units, value 1 has 29, and so on.
    const values = Array.from({ length: 30 }, (_, index) => Array.from({ length: 30 - index }, () => `value ${index}`)).flat();
    const exposures = values.map((value, index) => ({
      ...{ unit: `unit ${index}`, group: index % 2 === 0 ? "control" : "test", time: START, country: "NO" },
      custom: { value },
    }));
    await engine.store("many values", { exposures, events: [] });
    const [counts] = await counted("many values", "custom.value");
    expect(counts?.values.map(({ value, units }) => [value, total(units)])).toEqual(
      Array.from({ length: 20 }, (_, index) => [`value ${index}`, 30 - index]),
    );
    expect([counts?.others.values, total(counts?.others.units ?? {}), total(counts?.none ?? {})]).toEqual([10, 55, 0]);
  });

  test("are those at the unit's first exposure, of units that saw one group since the start", async () => {
    const exposure = { unit: "u", group: "test", time: START, country: "NO" };
    const exposures = [
      exposure,
      { ...exposure, unit: "both" },
      { ...exposure, unit: "both", group: "control", time: START + 1, country: "CH" },
      { ...exposure, unit: "early", time: START - 1 },
      { ...exposure, unit: "late", time: START + 9 * DAY_MS },
    ];
    await engine.store("who counts", { exposures, events: [] });
    expect(await counted("who counts", "country")).toEqual([
      { field: "country", values: [{ value: "NO", units: { test: 1 } }], others: { values: 0, units: {} }, none: { test: 0 } },
    ]);
  });

  test("of a field without any values are all in the group without a value", async () => {
    await engine.store("nobody", { exposures: [{ unit: "u", group: "test", time: START, country: "NO" }], events: [] });
    const nothing = { values: [], others: { values: 0, units: {} }, none: { test: 1 } };
    expect(await counted("nobody", "custom.plan")).toEqual([{ field: "custom.plan", ...nothing }]);
    expect(await counted("nothing was stored", "country")).toEqual([{ field: "country", ...nothing, none: {} }]);
  });
});

describe("the fields that are offered", onEngine, () => {
  const units = (count: number, createCustom: (index: number) => Record<string, unknown>) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ unit: `unit ${index}`, group: "test", time: START, country: "NO" },
      custom: createCustom(index),
    }));
  const offered = async (projectID: string, exposures: Exposure[]) => {
    await engine.store(projectID, { exposures, events: [] });
    return (await counted(projectID)).map(({ field }) => field);
  };

  test("are those that most units have first, then by name", async () => {
    const exposures = units(40, (index) => ({ plan: "pro", beta: index % 2 === 0, ...(index < 30 && { age: index % 3 }) }));
    expect(await offered("order", exposures)).toEqual(["country", "custom.beta", "custom.plan", "custom.age"]);
  });

  test("have 20 values that cover half of their units, and two units for each value", async () => {
    const exposures = units(100, (index) => ({
      address: `${index}@example.com`,
      pairs: Math.floor(index / 2.5),
      triples: Math.floor(index / 3),
      skewed: index < 60 ? "most" : index,
      short: index < 20 ? index : null,
    }));
    // The 20 most frequent of 40 pairs and of 34 triples cover 60 units, those of 41 skewed values 79.
    expect(await offered("identifying", exposures)).toEqual(["country", "custom.pairs", "custom.skewed", "custom.triples"]);
    const alone = units(10, (index) => ({ address: index }));
    expect(await offered("few units", alone)).toEqual(["country"]);
    const flat = units(100, (index) => ({ flat: index % 50 }));
    expect(await offered("flat", flat)).toEqual(["country"]);
  });

  test("are at most 20, for any field names of users, and all can be requested", async () => {
    const exposures = units(30, (index) => ({
      ...Object.fromEntries(Array.from({ length: 40 }, (_, field) => [`field ${field}`, index % 2])),
      [`name ${index}`]: 1,
      "": 1,
      ["x".repeat(194)]: 1,
    }));
    const fields = await offered("many fields", exposures);
    expect(fields.length).toBe(20);
    for (const field of fields) expect(field).toMatch(/^(country|custom\.field \d+)$/);
  });
});

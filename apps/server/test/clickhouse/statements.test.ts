import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UTC } from "../../src/common/time-zone.ts";
import { utcDay } from "../../src/common/utc-day.ts";
import type { EventSource, PercentilePlan, Plan } from "../../src/results/plans/plan.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import type { Dialect } from "../../src/results/sql/dialect.ts";
import { eventCounts } from "../../src/results/sql/event-counts.ts";
import { exposureCounts } from "../../src/results/sql/exposure-counts.ts";
import { momentsQuery } from "../../src/results/sql/moments-query.ts";
import { parametersFor, type Statement, written } from "../../src/results/sql/statement.ts";
import { totalsQuery } from "../../src/results/sql/totals-query.ts";
import { unitCounts } from "../../src/results/sql/unit-counts.ts";
import { experimentUnitSource } from "../../src/results/sql/unit-source.ts";
import { valuesQuery } from "../../src/results/sql/values-query.ts";
import { buildAnalysis, DAY_MS, days, randomWorld, START, seededRandom } from "../support/moments.ts";
import { needs } from "../support/needs.ts";
import { PLANS } from "../support/plans.ts";
import { type Checked, openClickHouse, openDatabase, type ResultsEngine } from "../support/results-engine.ts";

const PROJECT = "statements";

let database: ResultsEngine;
let clickhouse: ResultsEngine;

describe("ClickHouse answers as the database does", needs.clickhouse, () => {
  beforeAll(async () => {
    [database, clickhouse] = await Promise.all([openDatabase(), openClickHouse()]);
    const world = { ...randomWorld(21), checks: randomChecks() };
    await Promise.all([database.store(PROJECT, world), clickhouse.store(PROJECT, world)]);
  });
  afterAll(() => Promise.all([database?.close(), clickhouse?.close()]));

  /** Compares the answers. Whole numbers may come as texts, and decimals may differ by rounding. */
  async function expectAlike(statementIn: (dialect: Dialect) => Statement): Promise<number> {
    const [expected, actual] = await Promise.all([database, clickhouse].map((engine) => engine.ask<Row>(statementIn(engine.dialect))));
    const [sortedExpected, sortedActual] = [inOrder(expected ?? []), inOrder(actual ?? [])];
    expect(sortedActual.map(Object.keys)).toEqual(sortedExpected.map(Object.keys));
    for (const [index, row] of sortedExpected.entries()) {
      for (const [column, value] of Object.entries(row)) {
        const own = sortedActual[index]?.[column];
        if (typeof value !== "number" || typeof own !== "number") expect(own, `${column} of row ${index}`).toEqual(value);
        else expect(Math.abs(own - value) / Math.max(1, Math.abs(value)), `${column}: ${own} for ${value}`).toBeLessThan(1e-12);
      }
    }
    return sortedExpected.length;
  }

  const valued = { projectID: PROJECT, idType: "userID", days: days(-5, 9), end: START + 9 * DAY_MS, timeZone: UTC };

  test("about the values of metrics on single days", async () => {
    const names = ["a count", "a sum", "the largest", "the latest", "different texts", "a ratio", "a sum with a cap for each day"];
    const percentile: PercentilePlan = {
      ...{ percentile: 0.9, sources: [{ event: "buy", criteria: [], number: { of: "value" } }], waitsForSpan: false },
      span: { from: 0, to: null },
    };
    const plans = [...names.map((name) => ({ ...(PLANS[name] as Plan), preMs: 0 })), percentile];
    expect(await expectAlike((dialect) => valuesQuery(plans, valued, dialect))).toBeGreaterThan(50);
    const funnel = { ...(PLANS["how often a funnel is completed"] as Plan), preMs: 0 };
    expect(await expectAlike((dialect) => valuesQuery([funnel], valued, dialect))).toBeGreaterThan(5);
  });

  test("about the total of metrics on each day", async () => {
    const plans = [PLANS["a count"], PLANS["a sum"], PLANS["a sum of a key in the metadata"]] as Plan[];
    const asked = { projectID: PROJECT, days: days(0, 9), end: START + 9 * DAY_MS };
    expect(await expectAlike((dialect) => totalsQuery(plans, asked, dialect))).toBe(9);
  });

  test("about the units of a gate's rule and of a holdout, and their moments", async () => {
    const scope = { projectID: PROJECT, environments: ["production"], startTime: START, endTime: START + 9 * DAY_MS };
    const exposureSources = [
      { type: "gate" as const, id: "g", ruleID: "r", passPercentage: 50 },
      { type: "holdout" as const, id: "h", passPercentage: 5 },
    ];
    for (const exposureSource of exposureSources) {
      expect(await expectAlike((dialect) => unitCounts({ ...scope, exposureSource: exposureSource }, dialect))).toBe(1);
      const analysis: Analysis = { ...buildAnalysis(PROJECT), exposureSource: exposureSource };
      const plans = [PLANS["a sum"], PLANS["a ratio"]] as Plan[];
      expect(await expectAlike((dialect) => momentsQuery(plans, analysis, dialect))).toBeGreaterThan(5);
    }
  });

  test("about units that enter with their first event, and about ids of other types in any case", async () => {
    const analysis: Analysis = { ...buildAnalysis(PROJECT), exposureSource: { type: "events" } };
    const plans = [PLANS["a sum"], PLANS.participation] as Plan[];
    expect(await expectAlike((dialect) => momentsQuery(plans, analysis, dialect))).toBeGreaterThan(5);
    expect(await expectAlike((dialect) => momentsQuery(plans, { ...analysis, idType: "companyID" }, dialect))).toBe(0);
  });

  test("about the health of an experiment: who saw which group, and when events arrived", async () => {
    const experiment = { id: "e", idType: "userID", groups: ["control", "test"].map((id) => ({ id })) } as any;
    const scope = { projectID: PROJECT, environments: ["production"], startTime: START, endTime: Date.now() + DAY_MS };
    expect(
      await expectAlike((dialect) =>
        exposureCounts({ ...scope, exposureSource: experimentUnitSource(experiment).exposureSource }, dialect),
      ),
    ).toBe(2);
    const numbers: EventSource[] = [
      { event: "buy", criteria: [], number: { of: "value" } },
      { event: "view", criteria: [], number: { of: "metadata", key: "item" } },
    ];
    const firstDay = utcDay(START);
    const firstDays = new Map([
      ["buy", firstDay],
      ["view", firstDay + 1],
    ]);
    const arrived = { ...scope, firstDays, numbers };
    expect(await expectAlike((dialect) => eventCounts(experiment, arrived, dialect))).toBe(6);
  });

  test("about every kind of text under a key of a JSON text", async () => {
    const texts = [
      { a: 1 },
      { a: 1.5, b: "1" },
      { a: -0.25, A: "upper" },
      { a: null, A: "upper" },
      { a: true, b: { c: [1, "x"] } },
      { a: "\ud800", b: 'it\'s \\ "q" \n 🦊' },
      { a: 1e20, b: 123456789012345680000 },
      { a: 1e21, b: 1e-7, c: 5e300 },
      { a: "1e21", b: '12345678901234567890", 1e+21' },
      { "": "no name", "a.b": "dot", ä: "umlaut" },
    ].map((value) => JSON.stringify(value));
    for (const text of [...texts, "{}"]) {
      for (const key of ["a", "A", "b", "", "a.b", "Ä", "none"]) {
        await expectAlike((dialect) => {
          const bind = parametersFor(dialect);
          const [json, name] = [bind.text(text), bind.text(key)];
          const exact = dialect.textUnder(json, name);
          return {
            text: `select ${exact} as exact, ${dialect.textUnderAnyCase(json, bind.text(key === "Ä" ? "ä" : key))} as any_case, ${dialect.numberIn(exact)} as number`,
            parameters: bind.parameters,
          };
        });
      }
    }
  });

  test("about which texts are numbers", async () => {
    const texts = [
      "1",
      "-1.5",
      "+.5",
      "5.",
      "1e2",
      "1e+2",
      "1e100",
      "1E-7",
      " 7 ",
      "\t7\n",
      "7 7",
      "",
      ".",
      "-",
      "0x10",
      "inf",
      "nan",
      "1_000",
    ];
    for (const text of [...texts, "9".repeat(60), "9".repeat(61), "٣"])
      await expectAlike((dialect) => {
        const bind = parametersFor(dialect);
        return { text: `select ${dialect.numberIn(bind.text(text))} as number`, parameters: bind.parameters };
      });
  });

  test("about the number that follows from a text", async () => {
    for (const text of ["", "unit 1", "🦊"])
      await expectAlike((dialect) => {
        const bind = parametersFor(dialect);
        return { text: `select ${dialect.hash(bind.text(text))} as number`, parameters: bind.parameters };
      });
  });

  test("to a statement that is written out for somebody to run by hand", async () => {
    const statement = momentsQuery([PLANS["events with the criterion in"] as Plan], buildAnalysis(PROJECT), clickhouse.dialect);
    const rows = await clickhouse.ask<Row>(statement);
    expect(rows.length).toBeGreaterThan(5);
    const settings = { ...clickhouse.dialect.settings };
    expect(written(statement, clickhouse.dialect)).toContain(`settings ${Object.keys(settings)[0]} = 1`);
    expect(await clickhouse.ask<Row>({ text: written(statement, { ...clickhouse.dialect, settings: {} }), parameters: [] })).toEqual(rows);
  });
});

type Row = Record<string, unknown>;

const isNumber = (value: unknown) => typeof value === "bigint" || (typeof value === "string" && /^-?\d+$/.test(value));

function inOrder(rows: Row[]): Row[] {
  const plain = rows.map((row) =>
    Object.fromEntries(
      Object.keys(row)
        .sort()
        .map((column) => [column, isNumber(row[column]) ? Number(row[column]) : row[column]]),
    ),
  );
  const toKey = (row: Row) => JSON.stringify(["metric", "grp", "dim", "day", "name", "unit"].map((column) => row[column]));
  return plain.sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/** Random checks by a gate's rule and a holdout: some units both pass and fail, and some checks precede the start. */
function randomChecks(): Checked[] {
  const random = seededRandom(3);
  return ["gate", "holdout"].flatMap((type) =>
    Array.from({ length: 40 }, (_, index) => index).flatMap((index): Checked[] => {
      const both = random() < 0.1 ? [true, false] : [random() < 0.5];
      const entity = type === "gate" ? { entityID: "g", ruleID: "r" } : { entityID: "h", ruleID: "h:5" };
      const firstTime = START + Math.floor((random() * 9 - 0.5) * DAY_MS);
      return both.map((passed) => ({ entityType: type as Checked["entityType"], ...entity, passed, unitID: `unit ${index}`, firstTime }));
    }),
  );
}

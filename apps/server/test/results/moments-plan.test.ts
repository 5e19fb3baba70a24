import { afterAll, beforeAll, expect, test } from "vitest";
import { postgres } from "../../src/results/sql/dialect.ts";
import { momentsQuery } from "../../src/results/sql/moments-query.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { buildAnalysis } from "../support/moments.ts";
import { needs } from "../support/needs.ts";
import { PLANS } from "../support/plans.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

// A loop takes the product of both sides' rows: a million events and a hundred thousand units never end.
test("the statement of moments compares no row of one table with every row of another", needs.ownEvents, async () => {
  const { text, parameters } = momentsQuery(Object.values(PLANS), buildAnalysis("planned"), postgres);
  const options = { timeoutMs: 600_000, signal: new AbortController().signal };
  const values = parameters.map(({ value }) => value);
  const steps = await database.analyse<{ "QUERY PLAN": string }>(`explain ${text}`, values, options);
  const plan = steps.map((step) => step["QUERY PLAN"]);
  expect(plan.filter((line) => line.includes("WindowAgg"))).not.toEqual([]);
  expect(plan.filter((line) => line.includes("Nested Loop"))).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPartitions } from "../../src/evaluation/events/event-partitions.ts";
import { daysBefore } from "../../src/results/day.ts";
import type { Analysis } from "../../src/results/days.ts";
import { postgres } from "../../src/results/dialect.ts";
import { momentsQuery } from "../../src/results/moments-query.ts";
import { type Chain, type Plan, type Return, readsHistory, type Step, type Term } from "../../src/results/plan.ts";
import { UTC } from "../../src/results/time-zone.ts";
import { USER_PLANS } from "../../src/results/user-plan.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { cumulated, judge } from "../support/judge.ts";
import { analysisOf, DAY_MS, days, expectEqual, momentsOn, randomWorld, START, TODAY } from "../support/moments.ts";

let database: TestDatabase;
let store: ReturnType<typeof momentsOn>["store"];
let ask: ReturnType<typeof momentsOn>["ask"];
beforeAll(async () => {
  database = await createTestDatabase();
  await createPartitions(database).require(TODAY);
  ({ store, ask } = momentsOn(database));
});
afterAll(() => database.close());

const one: Term = { sources: [{ event: "buy", criteria: [], number: { of: "one" } }], fold: { by: "sum" }, span: { from: 0, to: null } };
const value: Term = { ...one, sources: [{ event: "buy", criteria: [], number: { of: "value" } }] };
const items: Term = { ...one, sources: [{ event: "buy", criteria: [], number: { of: "metadata", key: "items" } }] };
const mean = (term: Term, rest: Partial<Plan> = {}): Plan => ({
  numerator: { terms: [term], bounds: {} },
  waitsForSpan: false,
  preMs: 7 * DAY_MS,
  ...rest,
});
const ratio = (numerator: Term, denominator: Term): Plan => ({ ...mean(numerator), denominator: { terms: [denominator], bounds: {} } });

const step = (event: string, rest: Partial<Step[number]> = {}): Step => [{ event, criteria: [], number: { of: "one" }, ...rest }];
const always = { from: 0, to: null };
const chain: Chain = { steps: [step("view"), step("buy")], span: always, withinMs: null, isStrict: false };
const funnel = (of: Chain, by: "any" | "sum" = "any") =>
  ratio(
    { sources: [{ marks: "completion", of }], fold: { by }, span: of.span },
    { sources: [{ marks: "start", of }], fold: { by }, span: of.span },
  );
const retention = (of: Return) =>
  ratio(
    { sources: [{ marks: "returned", of }], fold: { by: "any" }, span: always },
    { sources: [{ marks: "due", of }], fold: { by: "any" }, span: always },
  );
const days3 = { from: DAY_MS, to: 4 * DAY_MS };
const dayTerm = (span: Term["span"]): Term => ({ sources: [{ marks: "day" }], fold: { by: "sum" }, span });

const active = (withinDays: number): Term => ({ sources: [{ marks: "active", withinDays }], fold: { by: "sum" }, span: always });

const PLANS: Record<string, Plan> = {
  "a count": mean(one),
  "a sum": mean(value),
  "a sum of a key in the metadata": mean(items),
  "a sum with a cap for each day": mean({ ...value, cap: 20 }),
  participation: mean({ ...one, fold: { by: "any" } }),
  days: mean({ ...one, fold: { by: "days" } }),
  "different texts": mean({ ...one, fold: { by: "distinct", key: "item" } }),
  "the largest": mean({ ...value, fold: { by: "max" } }),
  "the smallest": mean({ ...value, fold: { by: "min" } }),
  "the first": mean({ ...value, fold: { by: "first" } }),
  "the latest": mean({ ...value, fold: { by: "latest" } }),
  "whether a sum reaches a threshold": mean({ ...value, threshold: 30 }),
  "a window from the third day on": mean({ ...value, span: { from: 2 * DAY_MS, to: 4 * DAY_MS } }),
  "units whose window is over": mean({ ...value, span: { from: 0, to: 3 * DAY_MS } }, { waitsForSpan: true }),
  "two events": mean({ ...one, sources: [...one.sources, { event: "view", criteria: [], number: { of: "one" } }] }),
  "two terms": { ...mean(one), numerator: { terms: [one, { ...items, fold: { by: "any" } }], bounds: {} } },
  "a ratio": ratio(value, one),
  "the share of days with an event": ratio({ ...one, fold: { by: "days" } }, dayTerm(always)),
  "the share of days within a window": ratio({ ...one, fold: { by: "days" }, span: days3 }, dayTerm(days3)),
  "units that complete a funnel": funnel(chain),
  "how often a funnel is completed": funnel(chain, "sum"),
  "a funnel within a window": funnel({ ...chain, span: { from: 0, to: 5 * DAY_MS } }),
  "a funnel whose steps follow within a day": funnel({ ...chain, withinMs: DAY_MS }, "sum"),
  "a funnel of three steps, one of which is either of two events": funnel(
    { ...chain, steps: [step("view"), [...step("buy"), ...step("view")], step("buy")] },
    "sum",
  ),
  "a funnel whose steps may not share a millisecond": funnel({ ...chain, steps: [step("buy"), step("buy")], isStrict: true }, "sum"),
  "a funnel whose steps may share a millisecond": funnel({ ...chain, steps: [step("buy"), step("buy")] }, "sum"),
  "completions of all exposed units": mean({ sources: [{ marks: "completion", of: chain }], fold: { by: "any" }, span: always }),
  "units that come back on the next two days": retention({ step: step("buy"), span: always, fromMs: DAY_MS, toMs: 3 * DAY_MS }),
  "units that come back after a first event in a window": retention({ step: step("buy"), span: days3, fromMs: DAY_MS, toMs: 2 * DAY_MS }),
  "the share of days on which units are active": ratio(active(1), dayTerm(always)),
  "the share of days on which units are active within three days": ratio(active(3), dayTerm(always)),
  "the share of days on which units are active within a month": ratio(active(28), dayTerm(always)),
  "active days by days active within a week": ratio(active(1), active(7)),
  "a winsorised sum": { ...mean(value), numerator: { terms: [value], bounds: { low: 0.1, high: 0.8 } } },
  "a ratio of winsorised sums": {
    ...ratio(value, items),
    numerator: { terms: [value], bounds: { high: 0.9 } },
    denominator: { terms: [items], bounds: { high: 0.7 } },
  },
  ...Object.fromEntries(
    (
      [
        ["in", ["a", "b"]],
        ["not_in", ["a", "b"]],
        ["=", ["a"]],
        ["contains", ["b", "zz"]],
        ["not_contains", ["b"]],
        ["starts_with", ["a"]],
        ["ends_with", ["c"]],
        ["is_null", []],
        ["non_null", []],
      ] as const
    ).map(([condition, values]) => [
      `events with the criterion ${condition}`,
      mean({
        ...one,
        sources: [
          { event: "buy", criteria: [{ type: "metadata", column: "item", condition, values: [...values] }], number: { of: "one" } },
        ],
      }),
    ]),
  ),
  ...Object.fromEntries(
    ([">", "<", ">=", "<="] as const).map((condition) => [
      `events with the criterion ${condition}`,
      mean({ ...value, sources: [{ event: "buy", criteria: [{ type: "value", condition, values: ["7"] }], number: { of: "value" } }] }),
    ]),
  ),
  "events of users of a country": mean({
    ...one,
    sources: [{ event: "buy", criteria: [{ type: "user", column: "Country", condition: "in", values: ["NO"] }], number: { of: "one" } }],
  }),
};

describe("the moments of metrics that one query reads agree with a naive computation", () => {
  test.each([1, 2, 3])("over random events, with seed %i", async (seed) => {
    const world = randomWorld(seed);
    const projectID = `seed ${seed}`;
    await store(projectID, world);
    const analysis = analysisOf(projectID);
    const plans = Object.values(PLANS);
    const expected = judge(plans, analysis, world.exposures, world.events);
    expect(expected.size).toBeGreaterThan(plans.length * 10);
    expectEqual(cumulated(await ask(plans, analysis), analysis), expected);
  });

  test("of what units do at all, which reads no texts", async () => {
    const world = randomWorld(5);
    await store("activity", world);
    const analysis = analysisOf("activity");
    const plans = Object.values(USER_PLANS).filter((plan) => !readsHistory(plan));
    expectEqual(cumulated(await ask(plans, analysis), analysis), judge(plans, analysis, world.exposures, world.events));
  });

  test("of units that are new", async () => {
    const world = randomWorld(6);
    // Every third unit is seen for the first time after the start.
    const events = world.events.filter(({ unit, time }) => time >= START || Number(unit.slice(-1)) % 3 > 0);
    await store("new units", { ...world, events });
    const plan: Plan = USER_PLANS.new_dau;
    const analysis = { ...analysisOf("new units"), earlierDays: daysBefore(START, plan.preMs, UTC) };
    const expected = judge([plan], analysis, world.exposures, events);
    expect(expected.get("0 test null 9")?.y).toBeGreaterThan(0);
    expectEqual(cumulated(await ask([plan], analysis), analysis), expected);
  });
});

// A loop takes the product of both sides' rows: a million events and a hundred thousand units never end.
test("the statement of moments compares no row of one table with every row of another", async () => {
  const { text, parameters } = momentsQuery(Object.values(PLANS), analysisOf("planned"), postgres);
  const options = { timeoutMs: 600_000, signal: new AbortController().signal };
  const values = parameters.map(({ value }) => value);
  const steps = await database.analyse<{ "QUERY PLAN": string }>(`explain ${text}`, values, options);
  const plan = steps.map((step) => step["QUERY PLAN"]);
  expect(plan.filter((line) => line.includes("WindowAgg"))).not.toEqual([]);
  expect(plan.filter((line) => line.includes("Nested Loop"))).toEqual([]);
});

describe("the moments of a metric", () => {
  const count = [mean(one)];
  const exposure = { unit: "u", group: "test", time: START, country: "NO" };
  const event = { id: 1, unit: "u", name: "buy", time: START + DAY_MS, value: "", metadata: {}, country: "NO" };
  const changed = async (projectID: string, analysis: Partial<Analysis> = {}) =>
    (await ask(count, { ...analysisOf(projectID), ...analysis })).map(({ day, n, y }) => [Number(day), n, y]);

  test("read units of another type from the other ids of an event, whatever the case of their name", async () => {
    await store("other units", { exposures: [exposure], events: [{ ...event, unit: "somebody" }] });
    await database.prisma.event.updateMany({ where: { projectID: "other units" }, data: { customIDs: '{"companyid":"u"}' } });
    expect(await changed("other units", { idType: "companyID" })).toEqual([
      [1, 1, 0],
      [2, 0, 1],
    ]);
    expect(await changed("other units")).toEqual([[1, 1, 0]]);
  });

  test("count an event whose device is ahead on the day on which it arrived", async () => {
    await store("ahead", { exposures: [exposure], events: [{ ...event, time: (TODAY + 400) * DAY_MS }] });
    const untilTomorrow = { days: days(0, 11), end: START + 11 * DAY_MS };
    expect(await changed("ahead", untilTomorrow)).toEqual([
      [1, 1, 0],
      [11, 0, 1],
    ]);
  });

  test("leave out exposures in other environments, in other groups, and before the first day", async () => {
    await store("others", {
      exposures: [
        { ...exposure, unit: "elsewhere" },
        { ...exposure, unit: "other group", group: "forgotten" },
        { ...exposure, unit: "too early", time: START - 1 },
      ],
      events: [],
    });
    await database.prisma.experimentExposure.updateMany({ where: { unitID: "elsewhere" }, data: { environment: "staging" } });
    expect(await changed("others")).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { experimentHealth } from "../../src/jobs/experiment-health.ts";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { needs } from "../support/needs.ts";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

const UNITS = Array.from({ length: 60 }, (_, n) => `customer ${n}`);
const assignGroup = (n: number) => (n % 2 === 0 ? "control" : "test");
const pickPlan = (n: number) => ["free", "pro", null][n % 3] as string | null;
const hasQualified = (n: number) => n % 5 > 0;

const OF_ROWS = { name: "revenue", type: "user_warehouse" };
const OF_EVENTS = { name: "bought", type: "sum" };
const BOTH = { primaryMetrics: [OF_ROWS, OF_EVENTS] };
const CUSTOMER = { idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }] };

describe("on a warehouse that knows units", needs.postgresBinaries, () => {
  let server: TestServer;
  let shop: ShopWarehouse;
  let pulse: ReturnType<typeof pulseOn>;
  let time: number;

  const property = (name: string, given: object = {}) =>
    server.client.createEntityPropertySource({ body: { name, sql: "select * from customers", ...CUSTOMER, ...given } });
  const event = (name: string, given: object = {}) =>
    server.client.createQualifyingEvent({
      body: { name, sql: "select * from checkouts", timestampColumn: "at", ...CUSTOMER, ...given },
    });
  const readChecks = async (id: string) => {
    const { healthChecks = [] } = (await server.client.getExperiment({ path: { id } })).data;
    return healthChecks.filter(({ type }) => ["has_exposures", "has_balanced_exposures", "has_crossover"].includes(type ?? ""));
  };
  const resultsBy = async (id: string, dimension: string, metric = OF_ROWS) => {
    const query = { control: "control", test: "test", metricID: `${metric.name}::${metric.type}`, dimension } as const;
    return (await server.client.getExperimentPulseMetricResult({ path: { id }, query })).data;
  };
  const exposuresBy = async (id: string, dimension: string) =>
    (await server.client.getExperimentDimensionalExposures({ path: { id }, query: { dimension } })).data;
  /** Each unit buys before its exposure, right after it, and a day later. */
  const buyers = (given: (n: number) => Partial<Buyer> = () => ({})) =>
    UNITS.map((unit, n): Buyer => {
      const purchases = [-DAY_MS, HOUR_MS, DAY_MS].map((afterMs) => ({ value: 1 + (n % 9), afterMs }));
      const plan = pickPlan(n);
      return { unit, group: assignGroup(n), purchases, fields: { custom: plan === null ? {} : { plan } }, ...given(n) };
    });

  beforeAll(async () => {
    [server, shop] = await Promise.all([startServer(), startShopWarehouse()]);
    pulse = pulseOn(server);
    await shop.query("create table customers (customer text, plan text, since timestamptz)");
    await shop.query("create table checkouts (customer text, at timestamptz)");
    await shop.query("create table assignments (experiment text, customer text, variant text, shown_at timestamptz)");
    await shop.query("grant select on customers, checkouts, assignments to reader");
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
    await server.client.createMetricSource({ body: { name: "orders", sql: "select * from orders", timestampColumn: "at", ...CUSTOMER } });
    await pulse.metric("revenue", {
      ...{ type: "user_warehouse", metricEvents: [] },
      warehouseNative: { metricSourceName: "orders", valueColumn: "total", aggregation: "sum" },
    });
    await pulse.metric("bought");
    await event("checkout");
    await server.client.createAssignmentSource({
      body: {
        ...{ name: "shop", sql: "select * from assignments", timestampColumn: "shown_at", ...CUSTOMER },
        ...{ experimentIDColumn: "experiment", groupIDColumn: "variant" },
      },
    });
    for (const id of ["divided", "exposed"]) await pulse.experiment(id, BOTH);
    await pulse.experiment("qualified", { ...BOTH, qualifyingEventName: "checkout" });
    await pulse.experiment("assigned", { primaryMetrics: [OF_ROWS], assignmentSourceName: "shop", qualifyingEventName: "checkout" });
    time = server.clock.now + HOUR_MS;
    for (const [n, unit] of UNITS.entries()) {
      const at = (ms: number) => (time + ms) / 1_000;
      for (const after of [-DAY_MS, HOUR_MS, DAY_MS])
        await shop.query("insert into orders values ($1, null, to_timestamp($2), $3, null)", [unit, at(after), 1 + (n % 9)]);
      if (pickPlan(n) !== null)
        await shop.query("insert into customers values ($1, $2, to_timestamp($3))", [unit, pickPlan(n), at(-HOUR_MS)]);
      // A plan set after the exposure does not count.
      await shop.query("insert into customers values ($1, 'later', to_timestamp($2))", [unit, at(HOUR_MS)]);
      await shop.query("insert into checkouts values ($1, to_timestamp($2))", [unit, at(-HOUR_MS)]);
      if (hasQualified(n)) await shop.query("insert into checkouts values ($1, to_timestamp($2))", [unit, at(2 * HOUR_MS)]);
    }
  });
  afterAll(async () => {
    await server?.close();
    await shop?.close();
  });

  test("results by a property are those by a field of users that says the same", async () => {
    await property("50% of customers.v1", { timestampColumn: "since" });
    const id = "divided";
    server.clock.now = time + 3 * DAY_MS;
    await pulse.log(id, buyers(), time);
    expect((await pulse.load(id)).finishedState).toBe("success");
    const dimension = "property.50%25 of customers%2Ev1.plan";
    for (const metric of [OF_EVENTS, OF_ROWS]) {
      const [byField, byProperty] = [await resultsBy(id, "custom.plan", metric), await resultsBy(id, dimension, metric)];
      expect(byProperty).toEqual({
        ...byField,
        dimensionResults: byField.dimensionResults.map((one) => ({ ...one, dimension, metric: expect.anything() })),
      });
      expect(byProperty.matchesLoad).toBe(true);
      const numbers = ({ dimensionResults }: typeof byField) => dimensionResults.map(({ metric: { loadedTime, ...rest } }) => rest);
      expect(numbers(byProperty)).toEqual(numbers(byField));
      expect(byProperty.dimensionResults.map(({ dimension_value, kind }) => [kind, dimension_value])).toEqual([
        ["value", "free"],
        ["value", "pro"],
        ["none", ""],
      ]);
    }
    const [byField, byProperty] = [await exposuresBy(id, "custom.plan"), await exposuresBy(id, dimension)];
    expect(byProperty.dimensions).toEqual(byField.dimensions.map((one) => ({ ...one, dimension })));
    expect(byProperty.dimensions[0]?.values[0]?.groups.map(({ exposures }) => exposures)).toEqual([10, 10]);
    // Without times, some row of a unit counts.
    await property("ever", { sql: "select * from customers where plan <> 'later'" });
    expect((await exposuresBy(id, "property.ever.plan")).dimensions[0]?.values).toEqual(byField.dimensions[0]?.values);
  });

  test("results are stratified by a property as by a field of users that says the same", async () => {
    const id = "divided";
    const stratified = async (postStratifyBy: string) => {
      await server.client.patchExperiment({ path: { id }, body: { postStratifyBy } });
      await pulse.load(id);
      const { primaryMetrics } = await pulse.results(id, { cuped: false });
      return primaryMetrics.map(
        ({ loadedTime, adjustment: { dimension, ...adjustment } = { method: "post_stratification", isUsed: false }, ...rest }) => ({
          ...{ ...rest, adjustment },
        }),
      );
    };
    const byField = await stratified("custom.plan");
    expect(await stratified("property.50%25 of customers%2Ev1.plan")).toEqual(byField);
    expect(byField.map(({ adjustment }) => adjustment)).toEqual(
      Array(2).fill({ method: "post_stratification", isUsed: true, strata: expect.any(Number), varianceReduction: expect.any(Number) }),
    );
    await server.client.patchExperiment({ path: { id }, body: { postStratifyBy: "" } });
  });

  test("results of an experiment with a qualifying event are those of one whose units are exposed when they qualify", async () => {
    const [qualified, exposed] = ["qualified", "exposed"] as const;
    const crossed = { unit: UNITS[1] as string, group: "control", purchases: [] };
    await pulse.log(qualified, [...buyers(() => ({ purchases: [] })), crossed], time);
    const entering = buyers(() => ({ purchases: [] })).filter((_, n) => hasQualified(n));
    await pulse.log(exposed, [...entering, crossed], time + 2 * HOUR_MS);
    for (const id of [qualified, exposed]) expect((await pulse.load(id)).metrics.map(({ state }) => state)).toEqual(["success", "success"]);
    const [ofQualified, ofExposed] = [await pulse.results(qualified, { cuped: "false" }), await pulse.results(exposed, { cuped: "false" })];
    const numbers = ({ primaryMetrics }: typeof ofQualified) => primaryMetrics.map(({ loadedTime, ...rest }) => rest);
    expect(numbers(ofQualified)).toEqual(numbers(ofExposed));
    expect(ofQualified.primaryMetrics.map(({ controlUnits, testUnits }) => [controlUnits, testUnits])).toEqual([
      [24, 23],
      [24, 23],
    ]);
    const [ofFirst] = await readChecks(qualified);
    expect(ofFirst).toMatchObject({ status: "PASSED", description: "48 units have qualified." });
    const alike = (checks: Awaited<ReturnType<typeof readChecks>>) =>
      checks.slice(1).map(({ metadata, ...check }) => ({ ...check, metadata: { ...metadata, qualifyingEventName: "checkout" } }));
    expect(alike(await readChecks(qualified))).toEqual(alike(await readChecks(exposed)));
    expect((await readChecks(qualified)).map(({ metadata }) => metadata?.qualifyingEventName)).toEqual([
      "checkout",
      "checkout",
      "checkout",
    ]);
    for (const dimension of ["custom.plan", "property.50%25 of customers%2Ev1.plan"])
      for (const metric of [OF_EVENTS, OF_ROWS]) {
        const [own, theirs] = [await resultsBy(qualified, dimension, metric), await resultsBy(exposed, "custom.plan", metric)];
        const units = ({ dimensionResults }: typeof own) =>
          dimensionResults.map(({ dimension_value: value, metric: { controlUnits, testUnits, absoluteChange } }) => [
            ...[value, controlUnits, testUnits, absoluteChange],
          ]);
        expect(units(own)).toEqual(units(theirs));
        expect(own.matchesLoad).toBe(true);
      }
    const path = { id: qualified };
    expect((await server.client.getExperimentDimensionalExposures({ path })).data).toEqual({
      dimensions: [],
      reason: "The warehouse says which units count. Ask for one dimension.",
    });
  });

  test("units of an assignment source can qualify and have properties", async () => {
    const id = "assigned";
    for (const [n, unit] of UNITS.entries())
      await shop.query("insert into assignments values ('assigned', $1, $2, to_timestamp($3))", [unit, assignGroup(n), time / 1_000]);
    await pulse.load(id);
    expect((await pulse.results(id)).primaryMetrics[0]).toMatchObject({ controlUnits: 24, testUnits: 24 });
    expect((await readChecks(id)).map(({ status, description }) => [status, description])).toMatchObject([
      ["PASSED", "48 units have qualified."],
      [expect.anything(), expect.stringContaining("48 units")],
      ["PASSED", "No unit saw two groups."],
    ]);
    const { dimensions } = await exposuresBy(id, "property.50%25 of customers%2Ev1.plan");
    expect(dimensions[0]?.values.map(({ dimension_value, kind }) => dimension_value || kind)).toEqual(["free", "pro", "none"]);
    expect((await resultsBy(id, "property.50%25 of customers%2Ev1.plan")).matchesLoad).toBe(true);
    await server.client.patchExperiment({ path: { id }, body: { postStratifyBy: "country" } });
    await pulse.load(id);
    expect((await pulse.results(id)).primaryMetrics[0]?.adjustment).toMatchObject({
      ...{ isUsed: false, reason: expect.stringMatching(/^The warehouse has the units of the experiment/) },
    });
    expect(await resultsBy(id, "country")).toMatchObject({
      dimensionResults: [],
      reason: "The warehouse has the units of the experiment, and no fields of their users. Ask for a property.",
    });
  });

  test("an unreadable source gives its reason for every metric, in the health checks and by dimension", async () => {
    const SOURCES = { noTime: { timestampColumn: "customer" }, noColumn: { timestampColumn: "day" }, noUnits: { idTypeMapping: [] } };
    const reasons: string[][] = [];
    for (const [name, given] of Object.entries({ ...SOURCES, refused: { sql: "select * from secrets" }, gone: {} })) {
      await event(name, given);
      await property(name, given);
      const id = await pulse.experiment(`of ${name}`, { ...BOTH, qualifyingEventName: name });
      if (name === "gone") {
        await server.client.deleteQualifyingEvent({ path: { name }, query: { forceArchive: true } });
        await server.client.deleteEntityPropertySource({ path: { name } });
      }
      server.clock.now += HOUR_MS;
      const load = await pulse.load(id);
      const [check] = await readChecks(id);
      expect(check?.status).toBe("WAITING");
      const ofEvent = new Set([...load.metrics.map(({ reason = "" }) => reason), check?.description ?? ""]);
      reasons.push([...ofEvent, (await exposuresBy("divided", `property.${name}.plan`)).reason ?? ""]);
    }
    expect(reasons).toEqual([
      ["qualifying event", "entity property source"].map(
        (noun) => `The column customer of the ${noun} noTime has the type text, which is not a time.`,
      ),
      ["qualifying event", "entity property source"].map((noun) => `The ${noun} noColumn has no column day.`),
      ["qualifying event", "entity property source"].map((noun) => `The ${noun} noUnits maps no column to the unit ID type userID.`),
      Array.from({ length: 2 }, () => "The warehouse did not answer. It refused the statement: permission denied for table secrets."),
      ["The qualifying event gone does not exist.", "The entity property source gone does not exist."],
    ]);
    expect((await resultsBy("divided", "property.ever.colour")).reason).toBe("The entity property source ever has no column colour.");
    expect((await refusal(exposuresBy("divided", "property.ever"))).status).toBe(400);
  });

  test("guardrails are of the units that qualify, and the hourly check of health leaves these to loads", async () => {
    const given = { primaryMetrics: [{ ...OF_ROWS, guardrail: { maxHarmPercent: 10 } }], qualifyingEventName: "checkout" };
    const id = await pulse.experiment("guarded", given);
    const at = server.clock.now / 1_000 + 1;
    const guarded = Array.from({ length: 300 }, (_, n) => ({ unit: `guarded ${n + 1}`, group: assignGroup(n + 1), purchases: [] }));
    await pulse.log(id, guarded, server.clock.now + 1_000);
    await shop.query("insert into checkouts select 'guarded ' || n, to_timestamp($1) from generate_series(1, 200) as n", [at + 1]);
    await shop.query(
      `insert into orders select 'guarded ' || n, null, to_timestamp($1), case when n % 2 = 0 then 10 else 5 end + n % 7 / 10.0, null
       from generate_series(1, 300) as n`,
      [at + 2],
    );
    server.clock.now += 2 * HOUR_MS;
    await guardrailChecks.run(pulse.env());
    const { data } = await server.client.listExperimentAlerts({ path: { id } });
    expect(data.alerts).toMatchObject([{ groupID: "test", controlUnits: 100, testUnits: 100, percentChange: expect.closeTo(-48.5, 0) }]);
    await experimentHealth.run(pulse.env());
    expect(await readChecks(id)).toEqual([]);
  });

  test("sources are previewed", async () => {
    const sql = "select * from customers where plan = 'pro' order by customer limit 1;";
    const { data } = await server.client.previewEntityPropertySource({ body: { sql, timestampColumn: "", ...CUSTOMER } });
    expect(data.columns.map(({ name }) => name)).toEqual(["customer", "plan", "since"]);
    expect(data.rows).toEqual([["customer 1", "pro", expect.any(String)]]);
    expect(await refusal(server.client.previewEntityPropertySource({ body: { sql, timestampColumn: "day" } }))).toMatchObject({
      errors: [{ property: "timestampColumn", errorMessage: "names the column day, which the source does not have" }],
    });
    const body = { sourceType: "table", tableName: "checkouts", timestampColumn: "at", ...CUSTOMER } as const;
    const { data: events } = await server.client.previewQualifyingEvent({ body });
    expect(events.columns.map(({ name }) => name)).toEqual(["customer", "at"]);
    expect((await refusal(server.client.previewQualifyingEvent({ body: { sourceType: "table" } }))).errors).toEqual([
      { property: "tableName", errorMessage: "is required with sourceType table" },
    ]);
  });
});

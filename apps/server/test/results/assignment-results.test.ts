import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { experimentHealth } from "../../src/jobs/experiment-health.ts";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { needs } from "../support/needs.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

const NO_FIELDS = "The warehouse says which units count. Ask for one dimension.";

describe("results of an experiment with an assignment source", needs.postgresBinaries, () => {
  let server: TestServer;
  let shop: ShopWarehouse;
  let pulse: ReturnType<typeof pulseOn>;
  let time: number;

  const UNITS = Array.from({ length: 61 }, (_, n) => `customer ${n}`);
  const assignGroup = (n: number) => (n % 2 === 0 ? "control" : "test");
  const METRICS = [
    { name: "revenue", type: "user_warehouse" },
    { name: "median", type: "user_warehouse" },
  ];

  const source = (name: string, given: object = {}) =>
    server.client.createAssignmentSource({
      body: {
        ...{ name, sql: "select * from assignments", timestampColumn: "shown_at" },
        ...{ experimentIDColumn: "experiment", groupIDColumn: "variant" },
        idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
        ...given,
      },
    });
  const assign = (experiment: string, unit: string, group: string, at: number, platform = "web") =>
    shop.query("insert into assignments values ($1, $2, $3, to_timestamp($4), $5)", [experiment, unit, group, at / 1_000, platform]);
  const createExperiment = (name: string, given: object = {}) =>
    pulse.experiment(name, { primaryMetrics: METRICS, assignmentSourceName: "shop", ...given });
  const readChecks = async (id: string) => {
    const { healthChecks = [] } = (await server.client.getExperiment({ path: { id } })).data;
    return healthChecks.filter(({ type }) => ["has_exposures", "has_balanced_exposures", "has_crossover"].includes(type ?? ""));
  };

  /** The report of an experiment's units. */
  const readUnits = (id: string) => {
    const date = new Date(server.clock.now).toISOString().slice(0, 10);
    return server.send("GET", `/console/v1/reports/file?${new URLSearchParams({ type: "unit_level", experimentID: id, date })}`);
  };

  beforeAll(async () => {
    [server, shop] = await Promise.all([startServer(), startShopWarehouse()]);
    pulse = pulseOn(server);
    await shop.query("create table assignments (experiment text, customer text, variant text, shown_at timestamptz, platform text)");
    await shop.query("grant select on assignments to reader");
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
    await server.client.createMetricSource({
      body: {
        ...{ name: "orders", sql: "select * from orders", timestampColumn: "at" },
        idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
      },
    });
    const ofOrders = (name: string, definition: object) =>
      pulse.metric(name, {
        ...{ type: "user_warehouse", metricEvents: [] },
        warehouseNative: { metricSourceName: "orders", valueColumn: "total", ...definition },
      });
    await ofOrders("revenue", { aggregation: "sum" });
    await ofOrders("median", { aggregation: "percentile", percentile: 0.5 });
    await pulse.metric("of events");
    await source("shop");
    time = server.clock.now + HOUR_MS;
    for (const [n, unit] of UNITS.entries())
      for (const after of [-DAY_MS, HOUR_MS, DAY_MS])
        await shop.query("insert into orders values ($1, null, to_timestamp($2), $3, null)", [unit, (time + after) / 1_000, n % 9]);
  });
  afterAll(async () => {
    await server?.close();
    await shop?.close();
  });

  test("are those of the same exposures that applications log, and so is its health", async () => {
    const logged = await createExperiment("logged", { assignmentSourceName: "" });
    const assigned = await createExperiment("assigned", { assignmentSourceExperimentName: "as the shop calls it" });
    const buyers = UNITS.map((unit, n) => ({ unit, group: assignGroup(n), purchases: [] }));
    const crossed = { unit: UNITS[0] as string, group: "test", purchases: [] };
    server.clock.now = time + 3 * DAY_MS;
    await pulse.log(logged, [...buyers, crossed], time);
    for (const { unit, group } of [...buyers, crossed]) {
      await assign("as the shop calls it", unit, group, time);
      await assign("as the shop calls it", unit, group, time + HOUR_MS);
      await assign("another", unit, group === "test" ? "control" : "test", time);
    }
    const [ofLogged, ofAssigned] = [await pulse.load(logged), await pulse.load(assigned)];
    for (const load of [ofLogged, ofAssigned]) expect(load.metrics.filter(({ state }) => state !== "success")).toEqual([]);
    for (const query of [{}, { cuped: "true" }]) {
      const results = await pulse.results(assigned, query);
      expect(results.primaryMetrics).toEqual((await pulse.results(logged, query)).primaryMetrics);
      expect(results.primaryMetrics[0]).toMatchObject({ controlUnits: 30, testUnits: 30 });
    }
    expect(ofAssigned.jobs.map(({ sql = "" }) => [sql.includes("from assignments"), sql.includes("customer 1")])).toEqual(
      ofAssigned.jobs.map(() => [true, false]),
    );
    const [ofUnits, sameUnits] = [await readUnits(assigned), await readUnits(logged)];
    expect(ofUnits.text.split("\r\n").length).toBe(1 + 60 + 1);
    expect(ofUnits.text).toBe(sameUnits.text);
    const health = await readChecks(assigned);
    const ofSource = (check: (typeof health)[number]) => ({ ...check, metadata: { ...check.metadata, assignmentSourceName: "shop" } });
    expect(health).toEqual((await readChecks(logged)).map(ofSource));
    expect(health.map(({ status }) => status)).toEqual(["PASSED", "PASSED", "FAILED"]);
  });

  test("leave out metrics of logged events, and say why", async () => {
    const id = await createExperiment("of events", { primaryMetrics: [{ name: "of events", type: "sum" }] });
    await assign(id, "somebody", "test", server.clock.now + 1);
    // Exposures of it that applications log do not count.
    await pulse.log(id, [{ unit: "nobody", group: "test", purchases: [{ value: 1, afterMs: 1 }] }], server.clock.now + 1);
    server.clock.now += HOUR_MS;
    expect((await pulse.load(id)).metrics).toEqual([
      {
        ...{ metricID: "of events::sum", state: "failure" },
        reason: "The units of the experiment are on the warehouse, which has no logged events. Compute it from a metric source.",
      },
    ]);
    expect((await readChecks(id))[0]).toMatchObject({ description: "1 unit has seen a group." });
  });

  test("are of the rows that meet the filters", async () => {
    const given = { assignmentSourceFilters: [{ column: "platform", condition: "not_in", values: ["ios"] }] };
    const id = await createExperiment("filtered", given);
    await assign(id, "customer 4", "test", server.clock.now + 1, "ios");
    await assign(id, "customer 4", "control", server.clock.now + 2);
    server.clock.now += HOUR_MS;
    expect((await pulse.load(id)).finishedState).toBe("success");
    expect((await pulse.results(id)).primaryMetrics[0]).toMatchObject({ controlUnits: 1, testUnits: 0 });
  });

  test("have no exposures but those of loads", async () => {
    const id = await createExperiment("elsewhere");
    server.clock.now += 1;
    await pulse.log(id, [{ unit: "nobody", group: "test", purchases: [] }], server.clock.now);
    server.clock.now += 2 * HOUR_MS;
    await experimentHealth.run(pulse.env());
    expect(await readChecks(id)).toEqual([]);
    const path = { id };
    expect(await server.client.getExperimentCumulativeExposures({ path })).toMatchObject({
      reason: "The units come from an assignment source. Its health checks count them with each load.",
      data: [{ results: [] }, { results: [] }],
    });
    expect((await server.client.getExperimentDimensionalExposures({ path })).data).toEqual({ dimensions: [], reason: NO_FIELDS });
    await assign(id, "customer 5", "test", server.clock.now);
    server.clock.now += HOUR_MS;
    await pulse.load(id);
    const query = { control: "control", test: "test", metricID: "revenue::user_warehouse" } as const;
    const { data } = await server.client.getExperimentPulseMetricResult({ path, query });
    expect(data).toMatchObject({ dimensionResults: [], reason: NO_FIELDS });
  });

  test("say why they are missing, for every metric and in the health checks", async () => {
    await source("without time", { timestampColumn: "variant" });
    await source("without column", { groupNameColumn: "variant_name" });
    await source("without units", { idTypeMapping: [] });
    await source("refused", { sql: "select * from secrets" });
    await source("gone");
    const reasons: string[][] = [];
    for (const name of ["without time", "without column", "without units", "refused", "gone"]) {
      const id = await createExperiment(name, { assignmentSourceName: name });
      if (name === "gone") await server.client.deleteAssignmentSource({ path: { name }, query: { forceArchive: true } });
      server.clock.now += HOUR_MS;
      const load = await pulse.load(id);
      const [check] = await readChecks(id);
      expect(check?.status).toBe("WAITING");
      reasons.push([...new Set([...load.metrics.map(({ reason = "" }) => reason), check?.description ?? ""])]);
    }
    expect(reasons).toEqual([
      ["The column variant of the assignment source without time has the type text, which is not a time."],
      ["The assignment source without column has no column variant_name."],
      ["The assignment source without units maps no column to the unit ID type userID."],
      ["The warehouse did not answer. It refused the statement: permission denied for table secrets."],
      ["The assignment source gone does not exist."],
    ]);
  });

  test("are reported by unit until the source cannot be read, with the reason", async () => {
    await source("for a while");
    const id = await createExperiment("for a while", { assignmentSourceName: "for a while" });
    server.clock.now += HOUR_MS;
    await assign(id, "somebody", "test", server.clock.now);
    server.clock.now += HOUR_MS;
    await pulse.load(id);
    const read = async () => {
      const { status, text, body } = await readUnits(id);
      return [status, status === 200 ? text.split("\r\n").length : (body.errors?.[0]?.errorMessage ?? body.message)];
    };
    expect(await read()).toEqual([200, 3]);
    await shop.query("revoke select on assignments from reader");
    expect(await read()).toEqual([503, "The warehouse did not answer. It refused the statement: permission denied for table assignments."]);
    await shop.query("grant select on assignments to reader");
    await server.client.deleteAssignmentSource({ path: { name: "for a while" }, query: { forceArchive: true } });
    expect(await read()).toEqual([400, "has no units to report: The assignment source for a while does not exist."]);
  });

  test("raise alerts of guardrails, which read the warehouse too", async () => {
    const id = await createExperiment("guarded", { primaryMetrics: [{ ...METRICS[0], guardrail: { maxHarmPercent: 10 } }] });
    const at = server.clock.now / 1_000 + 1;
    await shop.query(
      `insert into assignments select 'guarded', 'guarded ' || n, case when n % 2 = 0 then 'control' else 'test' end, to_timestamp($1), 'web'
       from generate_series(1, 300) as n`,
      [at],
    );
    await shop.query(
      `insert into orders select 'guarded ' || n, null, to_timestamp($1), case when n % 2 = 0 then 10 else 5 end + n % 7 / 10.0, null
       from generate_series(1, 300) as n`,
      [at + 1],
    );
    server.clock.now += 2 * HOUR_MS;
    await guardrailChecks.run(pulse.env());
    const { data } = await server.client.listExperimentAlerts({ path: { id } });
    const units = { controlUnits: 150, testUnits: 150 };
    expect(data.alerts).toMatchObject([
      { groupID: "test", metricID: "revenue::user_warehouse", percentChange: expect.closeTo(-48.5, 0), ...units },
    ]);
    await shop.stop();
    server.clock.now += 2 * HOUR_MS;
    await guardrailChecks.run(pulse.env());
    const { guardrails } = (await server.client.getExperimentGuardrails({ path: { id } })).data;
    expect(guardrails[0]?.reason).toMatch(/^The warehouse did not answer. It cannot be reached: connect ECONNREFUSED/);
    await shop.start();
  });

  test("can be previewed", async () => {
    const columns = { timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" };
    const sql = "select * from assignments where experiment = 'another' order by customer limit 1;";
    const { data } = await server.client.previewAssignmentSource({ body: { sql, ...columns } });
    expect(data.columns.map(({ name }) => name)).toEqual(["experiment", "customer", "variant", "shown_at", "platform"]);
    expect(data.rows).toEqual([["another", "customer 0", "test", expect.any(String), "web"]]);
    const missing = server.client.previewAssignmentSource({ body: { sql, groupNameColumn: "name", idTypeMapping: [{ column: "id" }] } });
    await expect(missing).rejects.toMatchObject({
      status: 400,
      errors: [
        { property: "groupNameColumn", errorMessage: "names the column name, which the source does not have" },
        { property: "idTypeMapping[0].column", errorMessage: "names the column id, which the source does not have" },
      ],
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { experimentHealth } from "../../src/jobs/experiment-health.ts";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

const check = () => experimentHealth.run(pulse.env());
const read = async (id: string) => (await server.client.getExperiment({ path: { id } })).data;
const statuses = async (id: string) => Object.fromEntries((await read(id)).healthChecks.map(({ type, status }) => [type, status]));

const buildUnits = (group: string, count: number, prefix = group): Buyer[] =>
  Array.from({ length: count }, (_, index) => ({ unit: `${prefix} ${index}`, group, purchases: [] }));

describe("the health of an experiment", () => {
  test("is empty until it starts, and found out within the hour", async () => {
    const id = await pulse.experiment("health_start", { status: "setup" });
    await check();
    expect(await read(id)).toMatchObject({ healthChecks: [], healthCheckStatus: "PASSED" });
    await server.client.startExperiment({ path: { id }, body: {} });
    await check();
    expect(await read(id)).toMatchObject({ healthChecks: [{ type: "has_exposures", status: "WAITING" }], healthCheckStatus: "WAITING" });
  });

  test("fails if units are lost, and warns if units are in two groups", async () => {
    const id = await pulse.experiment("health_units");
    const both = buildUnits("control", 1, "both");
    await pulse.log(
      id,
      [...both, ...buildUnits("test", 1, "both"), ...buildUnits("control", 300), ...buildUnits("test", 200)],
      server.clock.now,
    );
    await check();
    const { healthChecks, healthCheckStatus } = await read(id);
    expect(healthCheckStatus).toBe("FAILED");
    expect(healthChecks).toMatchObject([
      { type: "has_exposures", status: "PASSED", description: "501 units have seen a group." },
      {
        ...{ type: "has_balanced_exposures", status: "FAILED" },
        metadata: {
          chiSquare: expect.closeTo(20, 9),
          groups: [
            { units: 300, expectedUnits: 250 },
            { units: 200, expectedUnits: 250 },
          ],
        },
      },
      { type: "has_crossover", status: "WARNING", metadata: { crossoverPercent: expect.closeTo(100 / 501, 9) } },
    ]);
    const [recorded] = (await server.client.listAuditLogs({ query: { actionType: "checkExperimentHealth" } })).data;
    expect(recorded).toMatchObject({ entityType: "experiment_health", entityID: id, version: null });
    expect(Object.values(recorded?.changes ?? {})).toEqual([
      { old: null, new: "FAILED" },
      { old: null, new: "WARNING" },
    ]);
  });

  test("is checked again after an hour, or with a load, which finds metrics without definition or events", async () => {
    await pulse.metric("bought");
    const id = await pulse.experiment("health_hours", {
      primaryMetrics: [
        { name: "bought", type: "sum" },
        { name: "unknown", type: "sum" },
      ],
    });
    await check();
    expect(await statuses(id)).toEqual({ has_exposures: "WAITING", user_metrics_exist: "WARNING", has_event_metrics: "WAITING" });
    await pulse.log(id, buildUnits("control", 2), server.clock.now);
    server.clock.now += HOUR_MS - 1;
    await check();
    expect((await statuses(id)).has_exposures).toBe("WAITING");
    server.clock.now += 1;
    await check();
    expect((await statuses(id)).has_exposures).toBe("PASSED");
    await pulse.log(id, buildUnits("test", 2), server.clock.now);
    await pulse.load(id);
    expect(await read(id)).toMatchObject({
      healthCheckStatus: "WARNING",
      healthChecks: expect.arrayContaining([
        expect.objectContaining({ type: "has_exposures", description: "4 units have seen a group." }),
        expect.objectContaining({ type: "has_event_metrics", status: "WARNING" }),
      ]),
    });
  });

  test("stands in every answer that has the experiment, and in no version, ETag or change of the experiment", async () => {
    const { id: layerID } = (await server.client.createLayer({ body: { name: "health_layer", idType: "userID" } })).data;
    const id = await pulse.experiment("health_answers", { layerID });
    const before = await server.send("GET", `/console/v1/experiments/${id}`);
    server.clock.now += DAY_MS;
    await check();
    const after = await server.send("GET", `/console/v1/experiments/${id}`);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
    const failed = { id, healthCheckStatus: "FAILED" };
    expect(await read(id)).toMatchObject(failed);
    expect((await server.client.listExperiments({ query: { layerID } })).data).toMatchObject([failed]);
    expect((await server.client.listLayerExperiments({ path: { id: layerID } })).data).toMatchObject([failed]);
    expect((await server.client.patchExperiment({ path: { id }, body: { hypothesis: "It stays." } })).data).toMatchObject(failed);
    const versions = (await server.client.listExperimentVersions({ path: { id } })).data;
    expect(versions.map(({ version, healthChecks }) => [version, healthChecks])).toEqual([
      [2, []],
      [1, []],
    ]);
    const changes = (await server.client.listChanges({ query: { entityType: "experiment", entityID: id } })).data;
    expect(JSON.stringify(changes)).not.toContain("has_exposures");
  });

  test("is that of the present run: a reset forgets it, and so does a deletion", async () => {
    const id = await pulse.experiment("health_reset");
    server.clock.now += DAY_MS;
    await check();
    expect((await read(id)).healthCheckStatus).toBe("FAILED");
    await server.client.resetExperiment({ path: { id } });
    expect(await read(id)).toMatchObject({ healthChecks: [], healthCheckStatus: "PASSED" });
    await server.client.startExperiment({ path: { id }, body: {} });
    await check();
    expect(await statuses(id)).toEqual({ has_exposures: "WAITING" });
    await server.client.deleteExperiment({ path: { id } });
    const rows = await server.database.db.$queryRaw<unknown[]>`select from experiment_health where "experimentID" = ${id}`;
    expect(rows).toEqual([]);
  });

  test("keeps what was found out when a check fails", async () => {
    const id = await pulse.experiment("health_kept");
    await check();
    server.clock.now += HOUR_MS;
    const failing = { ...server.database, analyse: () => Promise.reject(new Error("The database is busy.")) };
    await experimentHealth.run({ ...pulse.env(), database: failing });
    expect(await statuses(id)).toEqual({ has_exposures: "WAITING" });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimLoad } from "../../src/console/results/load-queue-store.ts";
import { runLoad } from "../../src/jobs/loads/run-load.ts";
import { LEASE_MS } from "../../src/jobs/while-leased.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

const REVENUE = { name: "Revenue", type: "sum" };
const MEDIAN = { aggregation: "percentile", percentile: 0.5 };

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
});
afterAll(() => server.close());

/** An experiment of another project, whose load waits. @returns its id */
async function startElsewhere(key: string, name: string): Promise<string> {
  server.clock.now += 1;
  const groups = ["control", "test"].map((id) => ({ id, name: id, size: 50 }));
  const body = { name, groups, controlGroupID: "control", allocation: 100, status: "active" };
  const { id } = (await server.send("POST", "/console/v1/experiments", { key, body })).body.data;
  await server.send("POST", `/console/v1/experiments/${id}/load_pulse`, { key, body: {} });
  return id;
}

const start = (id: string) => server.client.startExperimentPulseLoad({ path: { id }, body: {} });
const readLoad = async (id: string, dagID: string) => (await server.client.getExperimentPulseLoad({ path: { id, dagID } })).data;
const claim = () => claimLoad(server.database.db, { runner: "one", now: ++server.clock.now, leaseMs: LEASE_MS });

test("loads of several projects have turns: a project with many of them does not keep others waiting", async () => {
  const [busy, patient] = [await makeOtherProject(server, "busy"), await makeOtherProject(server, "patient")];
  const theirs: string[] = [];
  for (const name of ["first", "second", "third"]) theirs.push(await startElsewhere(busy, name));
  const others = [await startElsewhere(patient, "fourth"), await startElsewhere(patient, "fifth")];
  const claimed: (string | undefined)[] = [];
  for (let count = 0; count < 5; count += 1) claimed.push((await claim())?.subject.id);
  expect(claimed).toEqual([theirs[0], others[0], theirs[1], others[1], theirs[2]]);
  server.clock.now += LEASE_MS + 1;
  await pulse.run();
});

test("loads of several projects take turns after five minutes, between two metrics, and compute each metric once", async () => {
  await pulse.metric("Median", { type: "user_warehouse", warehouseNative: MEDIAN });
  const id = await pulse.experiment("long", { primaryMetrics: [REVENUE, { name: "Median", type: "user_warehouse" }] });
  const { dagID } = (await start(id)).data;
  const long = await claim();
  if (!long) throw new Error("There is no load.");
  const { analyse, transaction } = server.database;
  const slow: typeof server.database = {
    ...server.database,
    analyse(...given) {
      server.clock.now += 5 * 60 * 1_000;
      return analyse(...given);
    },
    transaction(...given) {
      server.clock.now += 5 * 60 * 1_000;
      return transaction(...given);
    },
  };
  const other = await startElsewhere(await makeOtherProject(server, "waiting"), "short");
  await runLoad({ ...pulse.env(), database: slow }, long, 1_000);
  const states = async () => (await readLoad(id, dagID)).metrics.map(({ state }) => state);
  expect(await states()).toEqual(["success", "waiting"]);
  expect((await claim())?.subject.id).toBe(other);
  const later = await claim();
  expect(later?.id).toBe(dagID);
  await runLoad({ ...pulse.env(), database: slow }, later as NonNullable<typeof later>, 1_000);
  expect(await states()).toEqual(["success", "success"]);
  expect((await readLoad(id, dagID)).jobs.filter(({ jobType }) => jobType === "metrics").map(({ jobIDs }) => jobIDs)).toEqual([
    ["Revenue::sum"],
    ["Median::user_warehouse"],
  ]);
  server.clock.now += LEASE_MS + 1;
  await pulse.run();
});

describe("a load whose replica was killed", () => {
  test("is gone on with by another one after its lease, and computes no metric twice", async () => {
    const id = await pulse.experiment("killed", { primaryMetrics: [REVENUE, { name: "Later", type: "sum" }] });
    await pulse.metric("Later", { type: "sum" });
    const { dagID } = (await start(id)).data;
    const claim = { runner: "killed", now: server.clock.now, leaseMs: LEASE_MS };
    expect(await claimLoad(server.database.db, claim)).toMatchObject({ id: dagID });
    const done = [
      { metricID: "Revenue::sum", state: "success" },
      { metricID: "Later::sum", state: "waiting" },
    ];
    await server.database.db.$executeRaw`update pulse_load set metrics = ${JSON.stringify(done)} where id = ${dagID}`;
    await pulse.run();
    expect(await readLoad(id, dagID)).not.toHaveProperty("finishedTime");
    server.clock.now += LEASE_MS + 1;
    await pulse.run();
    const { jobs, finishedState } = await readLoad(id, dagID);
    expect(finishedState).toBe("success");
    expect(jobs.map(({ jobType, jobIDs }) => [jobType, jobIDs])).toEqual([
      ["topline", ["Later::sum"]],
      ["metrics", ["Later::sum"]],
    ]);
  });

  test("continues at once if its server was asked to stop", async () => {
    const id = await pulse.experiment("stopped", { primaryMetrics: [REVENUE] });
    const { dagID } = (await start(id)).data;
    const load = await claimLoad(server.database.db, { runner: "stopping", now: server.clock.now, leaseMs: LEASE_MS });
    if (!load) throw new Error("There is no load.");
    await runLoad({ ...pulse.env(), stopping: AbortSignal.abort() }, load, 1_000);
    expect(await readLoad(id, dagID)).not.toHaveProperty("finishedTime");
    await pulse.run();
    expect(await readLoad(id, dagID)).toMatchObject({ finishedState: "success" });
  });

  test("has checked the health of its experiment before it is finished, and checks it again if its server was asked to stop", async () => {
    const id = await pulse.experiment("stopped_late", { primaryMetrics: [REVENUE] });
    const units = ["control", "test"].map((group) => ({ unit: `late ${group}`, group, purchases: [] }));
    await pulse.log(id, units, server.clock.now);
    const { dagID } = (await start(id)).data;
    const stopping = new AbortController();
    const { analyse } = server.database;
    const stopped: typeof server.database = {
      ...server.database,
      async analyse(...given) {
        const isComputed = (await readLoad(id, dagID)).metrics.every(({ state }) => state === "success");
        if (isComputed) stopping.abort();
        return analyse(...given);
      },
    };
    await pulse.run({ database: stopped, stopping: stopping.signal });
    expect(stopping.signal.aborted).toBe(true);
    expect(await readLoad(id, dagID)).not.toHaveProperty("finishedTime");
    await pulse.run();
    expect(await readLoad(id, dagID)).toMatchObject({ finishedState: "success" });
    const { healthChecks } = (await server.client.getExperiment({ path: { id } })).data;
    expect(healthChecks).toContainEqual(
      expect.objectContaining({ type: "has_exposures", status: "PASSED", description: "2 units have seen a group." }),
    );
  });
});

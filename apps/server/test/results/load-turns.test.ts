import { afterAll, beforeAll, expect, test } from "vitest";
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

test("loads of several projects make way for each other after five minutes, between two metrics, none of which is computed twice", async () => {
  await pulse.metric("Median", { type: "user_warehouse", warehouseNative: MEDIAN });
  const id = await pulse.experiment("long", { primaryMetrics: [REVENUE, { name: "Median", type: "user_warehouse" }] });
  const { dagID } = (await server.client.startExperimentPulseLoad({ path: { id }, body: {} })).data;
  const long = await claim();
  if (!long) throw new Error("There is no load.");
  const slow = {
    ...server.database,
    analyse: <Row>(...given: Parameters<typeof server.database.analyse>) => {
      server.clock.now += 5 * 60 * 1_000;
      return server.database.analyse<Row>(...given);
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
});

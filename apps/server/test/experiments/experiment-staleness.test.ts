import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { staleExperiments } from "../../src/jobs/stale-experiments.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const detect = () => staleExperiments.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });

const make = async (name: string, status?: "active") =>
  (await server.client.createExperiment({ body: { name, ...(status && { status }) } })).data;
const read = async (id: string) => (await server.client.getExperiment({ path: { id } })).data;
const readState = async (id: string) => {
  const { isStale, version } = await read(id);
  return [isStale, version];
};
const listStale = async () => (await server.client.listExperiments({ query: { stale: true } })).data.map(({ id }) => id);

async function makeEnded(name: string): Promise<string> {
  const { id } = await make(name, "active");
  await server.client.abandonExperiment({ path: { id }, body: { decisionReason: "over" } });
  return id;
}

describe("the detection of stale experiments", () => {
  test("marks an experiment once 30 days after its end, keeps its last modification, and unmarks it when it changes", async () => {
    const id = await makeEnded("left behind");
    const { lastModifiedTime } = await read(id);
    server.clock.now += 30 * DAY_MS - 1;
    await detect();
    expect([await readState(id), await listStale()]).toEqual([[false, 2], []]);
    server.clock.now += 1;
    await detect();
    await detect();
    expect([await readState(id), await listStale()]).toEqual([[true, 3], [id]]);
    expect((await read(id)).lastModifiedTime).toBe(lastModifiedTime);
    await server.client.patchExperiment({ path: { id }, body: { description: "looked after" } });
    await detect();
    expect([await readState(id), await listStale()]).toEqual([[false, 4], []]);
  });

  test("marks decided, abandoned and stopped experiments, but not those in setup, active or archived", async () => {
    const status = {
      decided: "decision_made",
      abandoned: "abandoned",
      stopped: "experiment_stopped",
      closed: "assignment_stopped",
    } as const;
    await make("in setup");
    await make("running", "active");
    for (const [name, to] of Object.entries(status)) {
      const { id, groups } = await make(name, "active");
      await server.client.patchExperiment({
        path: { id },
        body: { status: to, ...(to === "decision_made" && { launchedGroupID: groups[0]?.id ?? "" }) },
      });
    }
    await server.client.archiveExperiment({ path: { id: await makeEnded("put away") }, body: {} });
    server.clock.now += 31 * DAY_MS;
    await detect();
    expect((await listStale()).filter((id) => id !== "left_behind").toSorted()).toEqual(["abandoned", "decided", "stopped"]);
  });

  test("counts from the end of the experiment, not from an earlier stop of the assignment", async () => {
    const { id } = await make("closed early", "active");
    await server.client.patchExperiment({ path: { id }, body: { status: "assignment_stopped" } });
    server.clock.now += 40 * DAY_MS;
    await server.client.patchExperiment({ path: { id }, body: { status: "experiment_stopped" } });
    await detect();
    expect(await readState(id)).toEqual([false, 3]);
  });

  test("is undone by a reset, by archiving, and by another entity's write that changes the experiment", async () => {
    const [reset, archived, held] = [await makeEnded("reset one"), await makeEnded("archived one"), await makeEnded("held one")];
    server.clock.now += 31 * DAY_MS;
    await detect();
    expect(await listStale()).toEqual(expect.arrayContaining([reset, archived, held]));
    await server.client.resetExperiment({ path: { id: reset } });
    await server.client.archiveExperiment({ path: { id: archived }, body: {} });
    await server.client.createHoldout({ body: { name: "holding", experimentIDs: [held] } });
    expect([await readState(reset), await readState(archived), await readState(held)]).toEqual([
      [false, 4],
      [false, 4],
      [false, 4],
    ]);
    expect(await listStale()).not.toEqual(expect.arrayContaining([reset]));
  });
});

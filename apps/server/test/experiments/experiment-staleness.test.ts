import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;

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

describe("a stale experiment", () => {
  test("is stale from 30 days after its end until somebody changes it, without a new version or an audit log entry", async () => {
    const id = await makeEnded("left behind");
    server.clock.now += 30 * DAY_MS - 1;
    expect([await readState(id), await listStale()]).toEqual([[false, 2], []]);
    server.clock.now += 1;
    expect([await readState(id), await listStale()]).toEqual([[true, 2], [id]]);
    const { data: versions } = await server.client.listExperimentVersions({ path: { id } });
    expect(versions.map(({ isStale }) => isStale)).toEqual([false, false]);
    expect(await server.database.prisma.change.count({ where: { entityID: id, entityType: "experiment" } })).toBe(2);
    await server.client.patchExperiment({ path: { id }, body: { description: "looked after" } });
    expect([await readState(id), await listStale()]).toEqual([[false, 3], []]);
  });

  test("was decided, abandoned or stopped; experiments in setup, active or archived are never stale", async () => {
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
    expect((await listStale()).filter((id) => id !== "left_behind").toSorted()).toEqual(["abandoned", "decided", "stopped"]);
  });

  test("counts from the end of the experiment, not from an earlier stop of the assignment", async () => {
    const { id } = await make("closed early", "active");
    await server.client.patchExperiment({ path: { id }, body: { status: "assignment_stopped" } });
    server.clock.now += 40 * DAY_MS;
    await server.client.patchExperiment({ path: { id }, body: { status: "experiment_stopped" } });
    expect(await readState(id)).toEqual([false, 3]);
  });

  test("is undone by a reset, by archiving, and by another entity's write that changes the experiment", async () => {
    const [reset, archived, held] = [await makeEnded("reset one"), await makeEnded("archived one"), await makeEnded("held one")];
    server.clock.now += 31 * DAY_MS;
    expect(await listStale()).toEqual(expect.arrayContaining([reset, archived, held]));
    await server.client.resetExperiment({ path: { id: reset } });
    await server.client.archiveExperiment({ path: { id: archived }, body: {} });
    await server.client.createHoldout({ body: { name: "holding", experimentIDs: [held] } });
    expect([await readState(reset), await readState(archived), await readState(held)]).toEqual([
      [false, 3],
      [false, 3],
      [false, 3],
    ]);
    expect(await listStale()).not.toEqual(expect.arrayContaining([reset]));
  });
});

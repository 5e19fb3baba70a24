import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scheduledStarts } from "../../src/jobs/scheduled-starts.ts";
import { makeLayer } from "../support/layers.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Given = Partial<Parameters<TestServer["client"]["createExperiment"]>[0]["body"]>;

async function create(name: string, given: Given = {}) {
  return (await server.client.createExperiment({ body: { name, allocation: 1, ...given } })).data.id;
}

const get = async (id: string) => (await server.client.getExperiment({ path: { id } })).data;
const schedule = (id: string, scheduledTime: number | null) =>
  server.client.scheduleExperimentStart({ path: { id }, body: { scheduledTime } });

/** Runs the job once. @returns its log lines */
async function runJob(): Promise<string[]> {
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void logged.push(line) });
  await scheduledStarts.run({ database: server.database, log, now: () => server.clock.now });
  return logged;
}

describe("scheduleExperimentStart", () => {
  test("200: sets, replaces and removes the time", async () => {
    const id = await create("scheduled");
    const time = server.clock.now + 1000;
    expect((await schedule(id, time)).message).toBe("Successfully scheduled experiment start");
    expect(await get(id)).toMatchObject({ status: "setup", scheduledStartTime: time, version: 2 });
    await schedule(id, time + 1000);
    expect((await get(id)).scheduledStartTime).toBe(time + 1000);
    await schedule(id, null);
    expect((await get(id)).scheduledStartTime).toBeNull();
  });

  test("400: a time in the past, and a status other than setup", async () => {
    const id = await create("too late", { status: "active" });
    expect(await refusal(schedule(id, server.clock.now))).toEqual(
      invalid(["scheduledTime", "must be in the future"], ["status", "schedule_start is not possible in status active, only in setup"]),
    );
  });
});

describe("a scheduled start", () => {
  test("happens once when it is due, even if two replicas find it", async () => {
    const id = await create("punctual");
    const time = server.clock.now + 1000;
    await schedule(id, time);
    server.clock.now = time - 1;
    await runJob();
    expect((await get(id)).status).toBe("setup");
    server.clock.now = time;
    expect((await Promise.all([runJob(), runJob()])).flat()).toEqual([]);
    const started = await get(id);
    expect(started).toMatchObject({
      status: "active",
      startTime: time,
      scheduledStartTime: null,
      version: 3,
      lastModifierName: "GATEHOUSE",
    });
    expect(started.userBuckets).toHaveLength(10);
    await runJob();
    expect(await get(id)).toEqual(started);
  });

  test("is dropped if the experiment was started or archived before", async () => {
    const started = await create("started by hand");
    const archived = await create("archived by hand");
    for (const id of [started, archived]) await schedule(id, server.clock.now + 1000);
    await server.client.startExperiment({ path: { id: started } });
    await server.client.archiveExperiment({ path: { id: archived } });
    server.clock.now += 1000;
    await runJob();
    expect([(await get(started)).version, (await get(archived)).version]).toEqual([3, 3]);
    expect((await get(archived)).scheduledStartTime).toBeNull();
  });

  test("that a full layer rejects is dropped, with the reason in the log and the change log", async () => {
    await makeLayer(server, "packed");
    await create("packer", { layerID: "packed", status: "active", allocation: 100 });
    const id = await create("unlucky", { layerID: "packed" });
    await schedule(id, server.clock.now + 1000);
    server.clock.now += 1000;
    const reason =
      "The scheduled start failed. Layer packed has 0 of its 1000 buckets free, but experiment unlucky needs 10. The others are held by packer (1000).";
    expect((await runJob()).map((line) => JSON.parse(line))).toMatchObject([{ experiment: id, reason, msg: "A scheduled start failed." }]);
    expect(await get(id)).toMatchObject({ status: "setup", scheduledStartTime: null, version: 3 });
    const change = await server.database.prisma.change.findFirst({ where: { entityID: id }, orderBy: { id: "desc" } });
    expect(change).toMatchObject({ operationID: "startScheduledExperiment", reason });
    expect(await runJob()).toEqual([]);
  });
});

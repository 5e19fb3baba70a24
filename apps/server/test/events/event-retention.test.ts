import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteOldReceipts } from "../../src/jobs/delete-old-receipts.ts";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const jobEnv = () => ({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });
const retain = (days: number) => eventRetention(days).run(jobEnv());
const log = (eventName: string, value: number) => server.evaluation.logEvent({ body: { events: [{ eventName, value }] } });
const partitions = async () => {
  const rows = await server.database.prisma.$queryRaw<{ name: string }[]>`
    select relname::text as name from pg_inherits join pg_class on oid = inhrelid where inhparent = 'event'::regclass order by 1`;
  return rows.map(({ name }) => name);
};
/** The partition of the day at an offset from the server's today, days. */
const partition = (days: number) => `event_${new Date(server.clock.now + days * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "_")}`;

describe("the retention of events", needs.ownEvents, () => {
  test("creates the partitions of today and the next two days, on any number of replicas concurrently", async () => {
    await Promise.all([retain(3), retain(3), retain(3)]);
    expect(await partitions()).toEqual([partition(0), partition(1), partition(2)]);
  });

  test("drops expired days with their counts", async () => {
    for (let day = 0; day < 5; day++) {
      await log("daily", day);
      if (day < 2) await log("early", day);
      server.clock.now += DAY_MS;
    }
    await Promise.all([retain(3), retain(3)]);
    expect(await partitions()).toEqual([-3, -2, -1, 0, 1, 2].map(partition));
    const { data, pagination } = await server.client.listEventValues({ path: { eventName: "daily" } });
    expect([data.map(({ value }) => value), pagination.totalItems]).toEqual([["4", "3", "2"], 3]);
    expect((await server.client.listEvents()).data.map(({ name, count }) => [name, count])).toEqual([["daily", 3]]);
  });

  test("stores each batch once that two replicas receive at midnight, while both create and drop partitions", async () => {
    const other = await server.replica();
    server.clock.now = (Math.floor(server.clock.now / DAY_MS) + 5) * DAY_MS - 1;
    const statuses: number[] = [];
    const send = async (to: TestServer, value: number) => {
      const events = [{ eventName: "at_midnight", eventID: `night ${value}`, value }];
      statuses.push((await to.send("POST", "/v1/log_event", { body: { events } })).status);
    };
    for (let round = 0; round < 5; round++) {
      const values = Array.from({ length: 20 }, (_, index) => round * 20 + index);
      const sending = values.flatMap((value) => [send(server, value), send(other, value)]);
      server.clock.now += 1;
      const there = { ...jobEnv(), database: other.database };
      await Promise.all([...sending, retain(1), eventRetention(1).run(there)]);
      server.clock.now += 1;
    }
    await other.close();
    expect(new Set(statuses)).toEqual(new Set([202]));
    const { data } = await server.client.listEventValues({ path: { eventName: "at_midnight" }, query: { limit: 1000 } });
    expect(data.map(({ value }) => Number(value)).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test("counts an event's age from its arrival, not from its own time", async () => {
    await server.evaluation.logEvent({ body: { events: [{ eventName: "late", time: 1 }] } });
    await retain(1);
    expect((await server.client.listEventValues({ path: { eventName: "late" } })).pagination.totalItems).toBe(1);
  });

  test("keeps checks of gates and dynamic configs for 90 days, or as long as events if that is longer", async () => {
    const { data } = await server.client.createGate({ body: { name: "checked" } });
    const config = await server.client.createDynamicConfig({ body: { name: "read" } });
    const events = [
      { eventName: "statsig::gate_exposure", metadata: { gate: data.id, gateValue: "true" } },
      { eventName: "statsig::config_exposure", metadata: { config: config.data.id, ruleID: "default" } },
    ];
    await server.evaluation.logEvent({ body: { events } });
    const { gateChecks, dynamicConfigChecks } = server.database.prisma;
    const count = () => Promise.all([gateChecks.count(), dynamicConfigChecks.count()]);
    server.clock.now += 90 * DAY_MS;
    await retain(1);
    expect(await count()).toEqual([1, 1]);
    server.clock.now += HOUR_MS;
    await retain(100);
    expect(await count()).toEqual([1, 1]);
    await retain(1);
    expect(await count()).toEqual([0, 0]);
  });
});

describe("the receipts of batches", () => {
  test("are deleted after the deduplication window", async () => {
    await server.database.prisma.eventReceipt.deleteMany();
    await log("received", 1);
    server.clock.now += HOUR_MS / 6 - 1;
    await deleteOldReceipts.run(jobEnv());
    expect(await server.database.prisma.eventReceipt.count()).toBe(1);
    server.clock.now += 1;
    await deleteOldReceipts.run(jobEnv());
    expect(await server.database.prisma.eventReceipt.count()).toBe(0);
  });
});

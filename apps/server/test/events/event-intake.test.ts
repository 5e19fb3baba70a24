import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEventIntake, type EventIntake } from "../../src/evaluation/events/event-intake.ts";
import { EMPTY_ORIGIN as origin } from "../support/event-origin.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { storedRows } from "../support/stored-rows.ts";

let server: TestServer;
/** The event intakes of two replicas. */
let intakes: EventIntake[];
beforeAll(async () => {
  server = await startServer();
  const { database, clock } = server;
  intakes = [1, 2].map(() => createEventIntake({ database, log: server.log, now: () => clock.now }));
});
afterAll(async () => {
  for (const intake of intakes) await intake.close();
  await server.close();
});

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const log = (...events: object[]) => server.evaluation.logEvent({ body: { events } });
const values = async (eventName: string) => (await server.client.listEventValues({ path: { eventName } })).data.map(({ value }) => value);
const total = async (eventName: string) => (await server.client.listEventValues({ path: { eventName } })).pagination.totalItems;
const partitions = async () => {
  const rows = await server.database.prisma.$queryRaw<{ name: string }[]>`
    select relname::text as name from pg_inherits join pg_class on oid = inhrelid where inhparent = 'event'::regclass order by 1`;
  return rows.map(({ name }) => name);
};

describe("a batch that is sent again", () => {
  test("is stored once within ten minutes, and again afterwards", async () => {
    const event = { eventName: "again", value: 1, time: server.clock.now };
    await log(event);
    await log(event);
    server.clock.now += 10 * MINUTE_MS - 1;
    await log(event);
    expect([await values("again"), await total("again")]).toEqual([["1"], 1]);
    server.clock.now += 1;
    await log(event);
    await log(event);
    expect([await values("again"), await total("again")]).toEqual([["1", "1"], 2]);
  });

  test("is another batch if an event has neither a time nor an eventID", async () => {
    const [alike, timed] = [{ eventName: "alike" }, { eventName: "alike", time: server.clock.now }];
    for (let sent = 0; sent < 3; sent++) await log(alike);
    expect(await total("alike")).toBe(3);
    for (let sent = 0; sent < 3; sent++) await log(alike, timed);
    expect(await total("alike")).toBe(9);
    await Promise.all(Array.from({ length: 3 }, (_, index) => intakes[index % 2]?.log("default", { events: [alike] }, origin)));
    expect(await total("alike")).toBe(12);
  });

  test("is known by its deliveryID", async () => {
    const deliver = (deliveryID: string | null) =>
      server.evaluation.logEvent({ body: { events: [{ eventName: "delivered" }], deliveryID } });
    await deliver("first");
    await deliver("first");
    await deliver("second");
    expect(await total("delivered")).toBe(2);
    await deliver(null);
    await deliver(null);
    expect(await total("delivered")).toBe(4);
  });

  test("is stored once if it is sent concurrently, to any number of replicas", async () => {
    const batch = {
      events: [
        { eventName: "raced", value: 1, time: server.clock.now },
        { eventName: "raced", value: 2, time: server.clock.now },
      ],
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => intakes[index % 2]?.log("default", structuredClone(batch), origin)));
    expect([await values("raced"), await total("raced")]).toEqual([["2", "1"], 2]);
  });

  test("counts as another batch if anything differs, or in another project", async () => {
    const event = { eventName: "differs", value: 1, secondaryExposures: [] };
    await log(event);
    await log({ ...event, secondaryExposures: [{ gate: "g", gateValue: "true", ruleID: "r" }] });
    await intakes[0]?.log("elsewhere", { events: [event] }, origin);
    expect(await values("differs")).toEqual(["1", "1"]);
    const kept = await storedRows(server.database, "event", { name: "differs" });
    expect(kept.map(({ projectID }) => projectID).sort()).toEqual(["default", "default", "elsewhere"]);
  });

  test("adds only new events, if events have an eventID", async () => {
    await log({ eventName: "known", eventID: "1", value: 1 }, { eventName: "known", eventID: "2", value: 2 });
    await log(
      { eventName: "known", eventID: "2", value: 2 },
      { eventName: "known", eventID: "3", value: 3 },
      { eventName: "known", value: 4 },
    );
    await log({ eventName: "known", eventID: "5", value: 5 }, { eventName: "known", eventID: "5", value: 5 });
    expect([await values("known"), await total("known")]).toEqual([["5", "4", "3", "2", "1"], 5]);
  });

  test("stores each eventID once if concurrent batches share ids", async () => {
    const batch = (value: number) => ({ events: [1, 2, 3].map((id) => ({ eventName: "met", eventID: `met ${id}`, value })) });
    await Promise.all(Array.from({ length: 10 }, (_, index) => intakes[index % 2]?.log("default", batch(index), origin)));
    expect([(await values("met")).length, await total("met")]).toEqual([3, 3]);
  });
});

describe("the partitions by day of arrival", needs.ownEvents, () => {
  test("are created on arrival, for any event times", async () => {
    await log({ eventName: "days", value: "old", time: 1 });
    server.clock.now += DAY_MS;
    await log({ eventName: "days", value: "ahead", time: server.clock.now + 1000 * DAY_MS });
    await log({ eventName: "days", value: "between", time: server.clock.now - 500 * DAY_MS });
    const day = new Date(server.clock.now).toISOString().slice(0, 10).replaceAll("-", "_");
    expect((await partitions()).at(-1)).toBe(`event_${day}`);
    expect(await values("days")).toEqual(["ahead", "between", "old"]);
  });

  test("are read in pages by their indexes, without sorting", async () => {
    const plan = await server.database.prisma.$queryRaw<{ "QUERY PLAN": string }[]>`
      explain select "value" from event where "projectID" = 'default' and "name" = 'days' order by "time" desc, "id" desc limit 10`;
    const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).toContain("Index Scan Backward using event_");
    expect(text).not.toMatch(/\bSort\s+\(|Seq Scan/);
  });

  test("are recreated if someone dropped one", async () => {
    const [last = ""] = (await partitions()).slice(-1);
    await server.database.prisma.$executeRawUnsafe(`drop table "${last}"`);
    await log({ eventName: "after the loss" });
    expect(await partitions()).toContain(last);
    expect(await total("after the loss")).toBe(1);
  });
});

describe("an event intake", () => {
  test("stores unit ids and fields of the user, and no private attribute", async () => {
    const user = { userID: "a", customIDs: { companyID: "acme" }, email: "a@example.com", privateAttributes: { secret: "hidden" } };
    await log({ eventName: "private", user, statsigMetadata: {} });
    const [row] = await storedRows(server.database, "event", { name: "private" });
    expect(row).toMatchObject({ customIDs: '{"companyID":"acme"}', userFields: '{"email":"a@example.com"}', environment: "production" });
    expect(JSON.stringify(row)).not.toContain("hidden");
  });

  test("stores only ids if the server keeps no fields of users", async () => {
    const other = await server.replica(server.database, { keepsUserFields: false });
    const user = { userID: "a", email: "a@example.com", custom: { plan: "enterprise" } };
    await other.evaluation.logEvent({ body: { events: [{ eventName: "ids only", user }] } });
    await other.close();
    const [row] = await storedRows(server.database, "event", { name: "ids only" });
    expect(row?.userID).toBe("a");
    expect(JSON.stringify(row)).not.toMatch(/example.com|enterprise/);
  });

  test("stores queued events when it closes", async () => {
    const intake = createEventIntake({ database: server.database, log: server.log, now: () => server.clock.now });
    const user = { userID: "the last" };
    intake.expose("default", {
      kind: "gate",
      name: "g",
      user,
      source: "ofrep",
      origin,
      evaluation: { value: true, ruleID: "r", secondaryExposures: [] },
    });
    const kept = intake.log("default", { events: [{ eventName: "the last" }] }, origin);
    await intake.close();
    expect([
      await total("the last"),
      (await server.client.listEventValues({ path: { eventName: "statsig::gate_exposure" } })).data,
    ]).toEqual([
      1,
      [expect.objectContaining({ source: "ofrep", userID: "the last", metadata: { gate: "g", gateValue: "true", ruleID: "r" } })],
    ]);
    await kept;
  });

  test("reports queued and dropped events as metrics", async () => {
    const { text } = await server.send("GET", "/metrics");
    expect(text).toMatch(/^gatehouse_events_waiting_characters 0$/m);
    expect(text).toMatch(/^gatehouse_exposures_dropped 0$/m);
  });
});

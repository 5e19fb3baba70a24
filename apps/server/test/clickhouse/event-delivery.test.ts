import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEngine } from "../../../../engines/clickhouse/start.mjs";
import { withClickHouse } from "../../src/clickhouse/with-clickhouse.ts";
import { createEventIntake, type EventIntake } from "../../src/evaluation/events/event-intake.ts";
import { eventReader } from "../../src/store/database/ask.ts";
import type { ClickHouse } from "../../src/store/database/engines.ts";
import { createTestDatabase, type TestDatabase, withTestClickHouse } from "../support/database.ts";
import { EMPTY_ORIGIN as origin } from "../support/event-origin.ts";
import { needs } from "../support/needs.ts";
import { temporaryFolder } from "../support/process.ts";
import { startOver, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const MINUTE_MS = 60 * 1_000;
const eventsUrl = (url: string) => url.replace("http:", "clickhouse:");

describe("events on their way to ClickHouse", needs.clickhouse, () => {
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let folder: ReturnType<typeof temporaryFolder>;
  let database: TestDatabase;
  let server: TestServer;
  const intakes: EventIntake[] = [];
  beforeAll(async () => {
    folder = temporaryFolder();
    engine = await startEngine({ folder: folder.path });
    database = await withTestClickHouse(await createTestDatabase(), eventsUrl(engine.url));
    server = await startOver(database);
  });
  afterAll(async () => {
    for (const intake of intakes) await intake.close();
    await server?.close();
    await engine?.kill();
    folder?.remove();
  });

  /** The intake of another replica, whose requests to ClickHouse go as `change` says. */
  function intakeWith(change: (clickhouse: ClickHouse) => Partial<ClickHouse> = () => ({})): EventIntake {
    const clickhouse = database.db.clickhouse as ClickHouse;
    const own = withClickHouse(database, { ...clickhouse, ...change(clickhouse) });
    const intake = createEventIntake({ database: own, log: server.log, now: () => server.clock.now });
    intakes.push(intake);
    return intake;
  }
  const buildBatch = (eventName: string, values: number[]) => ({
    events: values.map((value) => ({ eventName, value, time: server.clock.now })),
  });
  /** How often each value is stored. */
  async function counts(eventName: string): Promise<Record<string, number>> {
    const rows = await eventReader(database.db).read<{ value: string; count: number }>(
      (bind) => `select "value", count(*) as "count" from event where "name" = ${bind.text(eventName)} group by "value" order by "value"`,
    );
    return Object.fromEntries(rows.map(({ value, count }) => [value, count]));
  }
  const waiting = async () => Number((await database.prisma.eventOutbox.aggregate({ _count: true }))._count);

  test("are stored there when the batch is acknowledged, and the database keeps no copy", async () => {
    await server.evaluation.logEvent({ body: buildBatch("direct", [1, 2]) });
    expect([await counts("direct"), await waiting(), await database.prisma.event.count()]).toEqual([{ 1: 1, 2: 1 }, 0, 0]);
  });

  test("are stored once if ClickHouse has inserted them and its answer is lost", async () => {
    let lost = 0;
    const unlucky = intakeWith((clickhouse) => ({
      async insert(...insertion) {
        await clickhouse.insert(...insertion);
        lost += 1;
        throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      },
    }));
    await unlucky.log("default", buildBatch("unanswered", [1, 2, 3]), origin);
    expect(await counts("unanswered")).toEqual({ 1: 1, 2: 1, 3: 1 });
    await waitFor(async () => expect(await waiting()).toBe(0));
    expect(lost).toBeGreaterThan(0);
    expect(await counts("unanswered")).toEqual({ 1: 1, 2: 1, 3: 1 });
  });

  test("are sent by another replica if theirs ends before it has sent them", async () => {
    const gone = intakeWith(() => ({ insert: () => new Promise(() => {}) }));
    const sent = gone.log("default", buildBatch("left behind", [1]), origin);
    await waitFor(async () => expect(await waiting()).toBe(1));
    expect(await counts("left behind")).toEqual({});
    server.clock.now += 2 * MINUTE_MS;
    await waitFor(async () => expect(await counts("left behind")).toEqual({ 1: 1 }));
    await sent;
    intakes.splice(intakes.indexOf(gone), 1);
  });

  test("are stored once if they are sent a second time in another group, or by two replicas at once", async () => {
    const [one, other] = [intakeWith(), intakeWith()];
    const repeated = buildBatch("repeated", [0]);
    await one.log("default", structuredClone(repeated), origin);
    const batches = Array.from({ length: 30 }, (_, index) => buildBatch("raced", [2 * index, 2 * index + 1]));
    await Promise.all(
      batches.flatMap((batch, index) => [
        (index % 2 ? one : other).log("default", structuredClone(batch), origin),
        (index % 3 ? one : other).log("default", structuredClone(batch), origin),
        other.log("default", structuredClone(repeated), origin),
      ]),
    );
    const each = Object.fromEntries(Array.from({ length: 60 }, (_, value) => [value, 1]));
    await waitFor(async () => expect(await counts("raced")).toEqual(each));
    expect(await counts("repeated")).toEqual({ 0: 1 });
  });

  test("wait in the database while ClickHouse is away, up to a limit beyond which batches are answered with 503, and arrive once it is back", async () => {
    const small = await server.replica(database, { maxWaiting: 20_000 });
    const acknowledged: number[] = [];
    const send = async (value: number) => {
      const answer = await small.send("POST", "/v1/log_event", { body: buildBatch("outage", [value]) });
      if (answer.status === 202) acknowledged.push(value);
      return answer;
    };
    await send(0);
    await engine.kill();
    let refused: Awaited<ReturnType<typeof send>> | undefined;
    for (let value = 1; refused === undefined; value++) {
      const answer = await send(value);
      if (answer.status !== 202) refused = answer;
    }
    expect([refused.status, refused.headers.get("Retry-After"), refused.body]).toEqual([
      503,
      "1",
      { status: 503, code: "unavailable", message: "Events arrive faster than ClickHouse can store them. Send them again shortly." },
    ]);
    expect(acknowledged.length).toBeGreaterThan(10);
    const metrics = (await small.send("GET", "/metrics")).text;
    expect(Number(/^gatehouse_events_undelivered_characters (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(20_000);
    expect(Number(/^gatehouse_events_undelivered_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    const read = await server.send("GET", "/console/v1/events/outage");
    expect([read.status, read.headers.get("Retry-After")]).toEqual([503, "1"]);
    const { port } = new URL(engine.url);
    engine = await startEngine({ folder: folder.path, port: Number(port) });
    await waitFor(async () => expect(await waiting()).toBe(0));
    await waitFor(async () => expect((await send(-1)).status).toBe(202));
    expect(await counts("outage")).toEqual(Object.fromEntries(acknowledged.map((value) => [value, 1])));
    await small.close();
  });
});

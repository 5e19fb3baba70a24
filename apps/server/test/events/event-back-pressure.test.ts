import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onPostgres } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let blocker: pg.Client;
beforeAll(async () => {
  server = await startServer();
  if (!onPostgres) return;
  blocker = new pg.Client(server.database.url);
  await blocker.connect();
});
afterAll(async () => {
  await blocker?.end();
  await server.close();
});

/** The server's bound on queued events, characters. */
const MAX_QUEUED_CHARACTERS = 32 * 2 ** 20;
const BATCHES = 50;
const PADDING = "x".repeat(250_000);

const send = (batch: number) => {
  const events = [1, 2, 3, 4].map((index) => ({
    ...{ eventName: "pressed", value: `${batch}.${index}`, metadata: { PADDING } },
    time: server.clock.now,
  }));
  return server.send("POST", "/v1/log_event", { body: { events } });
};
const waiting = async () => Number(/^gatehouse_events_waiting_characters (\d+)$/m.exec((await server.send("GET", "/metrics")).text)?.[1]);

describe("a database that cannot keep up", needs.postgres, () => {
  test("makes the server reject events with 503 at its queue limit, and accept all of them after recovery", {
    timeout: 900_000,
  }, async () => {
    expect((await send(0)).status).toBe(202);
    await blocker.query(`begin; lock table event_count in access exclusive mode`);
    const answers = Array.from({ length: BATCHES }, (_, batch) => send(batch + 1));
    await waitFor(async () => expect(await waiting()).toBeGreaterThan(MAX_QUEUED_CHARACTERS / 2));
    let [most, isOver] = [0, false];
    const watching = (async () => {
      while (!isOver) most = Math.max(most, await waiting());
    })();
    // Neither requests over the bound nor those that timed out are acknowledged.
    const refused = await Promise.all(answers);
    isOver = true;
    await watching;
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused[0]?.headers.get("Retry-After")).toBe("1");
    expect(refused[0]?.body).toEqual({
      status: 503,
      code: "unavailable",
      message: "Events arrive faster than the database can store them. Send them again shortly.",
    });
    expect(most).toBeLessThanOrEqual(MAX_QUEUED_CHARACTERS);

    await blocker.query("commit");
    await waitFor(async () => expect(await waiting()).toBe(0));
    for (let batch = 1; batch <= BATCHES; batch++) expect((await send(batch)).status).toBe(202);
    const rows = await server.database.prisma.event.groupBy({ by: ["value"], _count: true });
    expect([rows.length, rows.filter(({ _count }) => _count !== 1)]).toEqual([4 * (BATCHES + 1), []]);
    const { pagination } = await server.client.listEventValues({ path: { eventName: "pressed" }, query: { limit: 1 } });
    expect(pagination.totalItems).toBe(4 * (BATCHES + 1));
  });
});

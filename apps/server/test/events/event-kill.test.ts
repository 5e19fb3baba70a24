import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createConsoleClient, pages } from "@gatehouse/client";
import { afterAll, describe, expect, test, vi } from "vitest";
import { onClickHouse, onPostgres } from "../support/database.ts";
import { createEmptyClickHouse, createEmptyPostgres } from "../support/empty-database.ts";
import { startReady, temporaryFolder } from "../support/process.ts";

const KEY = "console-0123456789abcdef";
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The settings of a server with persistent data. */
async function settings(): Promise<Record<string, string>> {
  const common = {
    GATEHOUSE_CONSOLE_KEY: KEY,
    LOG_LEVEL: "error",
    ...(onClickHouse && { GATEHOUSE_EVENTS_URL: await createEmptyClickHouse() }),
  };
  return onPostgres
    ? { ...common, DATABASE_URL: await createEmptyPostgres() }
    : { ...common, GATEHOUSE_DATA_DIR: join(folder.path, "data") };
}

const SENDERS = 8;
const EVENTS_PER_BATCH = 20;
/** The number of batches that the server acknowledges before it is killed. */
const BATCHES_BEFORE_KILL = 60;

const batchBody = (batch: number) =>
  JSON.stringify({
    events: Array.from({ length: EVENTS_PER_BATCH }, (_, index) => ({ eventName: "loaded", value: `${batch}.${index}`, time: 1 })),
  });

async function send(url: string, batch: number): Promise<boolean> {
  const headers = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };
  const response = await fetch(`${url}/v1/log_event`, { method: "POST", headers, body: batchBody(batch) }).catch(() => undefined);
  return response?.status === 202;
}

/** How often each event is stored. */
async function keptCounts(url: string): Promise<Map<string, number>> {
  const client = createConsoleClient({ baseUrl: url, apiKey: KEY });
  const counts = new Map<string, number>();
  for await (const { value } of pages(client.listEventValues, { path: { eventName: "loaded" }, query: { limit: 1000 } })) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const batchEvents = (batches: number[]) =>
  batches.flatMap((batch) => Array.from({ length: EVENTS_PER_BATCH }, (_, index) => `${batch}.${index}`));

describe("a server that is killed under load", () => {
  test("has stored every acknowledged event once, and accepts the rest again without duplicates", {
    timeout: 900_000,
  }, async () => {
    const env = await settings();
    const first = await startReady(env);
    const acknowledged: number[] = [];
    const lost: number[] = [];
    let next = 0;
    const senders = Array.from({ length: SENDERS }, async () => {
      while (lost.length === 0) {
        const batch = next++;
        (await send(first.url, batch)) ? acknowledged.push(batch) : lost.push(batch);
      }
    });
    while (acknowledged.length < BATCHES_BEFORE_KILL && lost.length === 0) await pause(1);
    first.child.kill("SIGKILL");
    await Promise.all(senders);
    await first.ended;
    expect(acknowledged.length).toBeGreaterThanOrEqual(BATCHES_BEFORE_KILL);
    expect(lost.length).toBeGreaterThan(0);

    const second = await startReady(env);
    // Rows that the first server was sending to ClickHouse are sent again by the second one after a minute, retried batches among them.
    const storedOnce = (batches: number[]) =>
      vi.waitFor(
        async () => {
          const found = await keptCounts(second.url);
          expect(batchEvents(batches).filter((event) => found.get(event) !== 1)).toEqual([]);
          return found;
        },
        { timeout: 900_000, interval: 1_000 },
      );
    const kept = await storedOnce(acknowledged);
    expect([...kept.values()].filter((count) => count !== 1)).toEqual([]);

    const retried = await Promise.all(lost.map((batch) => send(second.url, batch)));
    expect(retried).toEqual(lost.map(() => true));
    const all = await storedOnce([...acknowledged, ...lost]);
    expect([...all.keys()].sort()).toEqual(batchEvents([...acknowledged, ...lost]).sort());
    expect([...all.values()].filter((count) => count !== 1)).toEqual([]);
    expect((await second.stop()).code).toBe(0);
  });
});

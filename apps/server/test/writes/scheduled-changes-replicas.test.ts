import { createConsoleClient } from "@gatehouse/client";
import { describe, expect, test, vi } from "vitest";
import { onPostgres } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";
import { startReady, temporaryFolder } from "../support/process.ts";
import { startServer } from "../support/server.ts";

const HOUR_MS = 3_600_000;
const names = (count: number) => Array.from({ length: count }, (_, index) => `gate_${index}`);

describe("scheduled changes are applied exactly once", () => {
  test("by two servers at the same time, in the order of their times", needs.postgres, async () => {
    const server = await startServer();
    const replica = await server.replica();
    const { client } = server;
    const ids = names(10);
    await client.batch({ requests: ids.map((name) => ({ operationId: "createGate" as const, body: { name, isEnabled: false } })) });
    const applyAt = server.clock.now + HOUR_MS;
    for (const id of ids) {
      await client.schedule.enableGate({ path: { id }, query: { applyAt } });
      await client.schedule.disableGate({ path: { id }, query: { applyAt: applyAt + 1 } });
    }
    server.clock.now = applyAt + HOUR_MS;
    await vi.waitFor(
      async () => {
        await Promise.all([server.applyDue(), replica.applyDue()]);
        const { data } = await client.listScheduledChanges({ query: { status: "SCHEDULED" } });
        expect(data).toEqual([]);
      },
      { timeout: 600_000 },
    );
    expect((await client.listScheduledChanges({ query: { status: "APPLIED" } })).data.length).toBe(2 * ids.length);
    for (const id of ids) {
      const { data: changes } = await client.listChanges({ query: { entityType: "gate", entityID: id } });
      expect(changes.map(({ operationID }) => operationID)).toEqual(["disableGate", "enableGate", "createGate"]);
    }
    await replica.close();
    await server.close();
  });

  test("if the server is killed while it applies them", { timeout: 900_000 }, async () => {
    const KEY = "console-0123456789abcdef";
    const folder = temporaryFolder();
    const env = {
      GATEHOUSE_CONSOLE_KEY: KEY,
      LOG_LEVEL: "error",
      ...(onPostgres ? { DATABASE_URL: await createEmptyPostgres() } : { GATEHOUSE_DATA_DIR: folder.path }),
    };
    const first = await startReady(env);
    const client = createConsoleClient({ baseUrl: first.url, apiKey: KEY });
    const ids = names(60);
    await client.batch({ requests: ids.map((name) => ({ operationId: "createGate" as const, body: { name, isEnabled: false } })) });
    const scheduled: string[] = [];
    for (const id of ids)
      scheduled.push((await client.schedule.enableGate({ path: { id }, query: { applyAt: Date.now() + HOUR_MS } })).data.id);
    const firstAt = Date.now() + 3_000;
    await client.batch({
      requests: scheduled.map((id, index) => ({
        operationId: "rescheduleChange" as const,
        path: { id },
        // The last one is not due before the kill.
        body: { applyAt: firstAt + (index < ids.length - 1 ? 0 : HOUR_MS) },
      })),
    });
    const countApplied = async (baseUrl: string) => {
      const { listScheduledChanges } = createConsoleClient({ baseUrl, apiKey: KEY });
      return (await listScheduledChanges({ query: { status: "APPLIED", limit: 1 } })).pagination.totalItems;
    };
    const applied = await vi.waitFor(
      async () => {
        const count = await countApplied(first.url);
        expect(count).toBeGreaterThan(0);
        return count;
      },
      { timeout: 300_000, interval: 1 },
    );
    first.child.kill("SIGKILL");
    await first.ended;
    expect(applied).toBeLessThan(ids.length);

    const second = await startReady(env);
    const after = createConsoleClient({ baseUrl: second.url, apiKey: KEY });
    const path = { id: scheduled.at(-1) ?? "" };
    // A slow machine may receive a request after the time that it names.
    await vi.waitFor(() => after.rescheduleChange({ path, body: { applyAt: Date.now() + 2_000 } }), { timeout: 300_000 });
    await vi.waitFor(async () => expect(await countApplied(second.url)).toBe(ids.length), { timeout: 300_000, interval: 100 });
    for (const id of ids) {
      const { data: changes } = await after.listChanges({ query: { entityType: "gate", entityID: id } });
      expect(changes.map(({ operationID }) => operationID)).toEqual(["enableGate", "createGate"]);
    }
    expect((await second.stop()).code).toBe(0);
    folder.remove();
  });
});

test("a change that this server refuses is left to newer servers as long as they run beside it, and fails after that", async () => {
  const server = await startServer();
  const { client, clock, database } = server;
  await client.createGate({ body: { name: "gate_0" } });
  const applyAt = clock.now + HOUR_MS;
  const { data: change } = await client.schedule.patchGate({ path: { id: "gate_0" }, query: { applyAt }, body: { description: "Later." } });
  // A field that only a newer contract has.
  await database.prisma.$executeRaw`
    update scheduled_change set entity = replace(entity, '"body":{', '"body":{"newer":1,') where id = ${change.id}`;
  const newer = "9999_newer";
  await database.prisma.$executeRaw`
    insert into _prisma_migrations (id, checksum, migration_name, finished_at) values (${newer}, '', ${newer}, now())`;
  clock.now = applyAt;
  const status = async () => {
    await server.applyDue();
    const { data } = await client.getScheduledChange({ path: { id: change.id } });
    return [data.status, data.error?.code];
  };
  expect(await status()).toEqual(["SCHEDULED", undefined]);
  await database.prisma.$executeRaw`delete from _prisma_migrations where migration_name = ${newer}`;
  expect(await status()).toEqual(["FAILED", "invalid_request"]);
  await server.close();
});

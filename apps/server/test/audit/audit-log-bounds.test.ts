import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditEvent } from "../../src/store/change-log/audit-event.ts";
import { createKeyAddresses } from "../../src/store/change-log/key-addresses.ts";
import { closeWindows, createRepeatedEvents, REPEAT_WINDOW_MS } from "../../src/store/change-log/repeated-events.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Entries that callers can cause at will are bounded in number.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const START = 1_763_700_000_000;

/** A failure, by default of one actor at one address. */
function failure(given: { actor?: string; address?: string; operationID?: string; now?: number } = {}): AuditEvent {
  const { actor = "eve", address = "192.0.2.1", operationID = "patchGate", now = START } = given;
  const origin = { address, userAgent: null, requestID: null };
  return {
    projectID: "default",
    actor: { id: actor, name: actor, email: null },
    origin,
    now,
    operationID,
    entityType: "permission",
    entityID: "read",
  };
}

const entries = (type: string) => server.database.prisma.change.findMany({ where: { entityType: type }, orderBy: { seq: "asc" } });
const countEntries = async (type: string) => (await entries(type)).length;
const close = (now: number) => writing(server.database, (db) => closeWindows(db, now));

describe("repeated events", () => {
  test("are one entry at first and one with their count later, no matter which replicas count them", async () => {
    const [one, other] = [createRepeatedEvents(server.database), createRepeatedEvents(server.database)];
    for (let count = 0; count < 50; count++) await Promise.all([one.note(failure()), other.note(failure())]);
    expect(await countEntries("permission")).toBe(1);
    await Promise.all([one.flush(), other.flush()]);
    expect(await close(START + REPEAT_WINDOW_MS - 1)).toBe(0);
    expect(await close(START + REPEAT_WINDOW_MS)).toBe(1);
    const [, summary, ...more] = await entries("permission");
    expect(more).toEqual([]);
    expect(summary).toMatchObject({ actorID: "eve", address: "192.0.2.1", operationID: "patchGate", version: 0 });
    expect(JSON.parse(summary?.after ?? "")).toEqual({ repetitions: 99, since: new Date(START).toISOString() });
  });

  test("that happen once are one entry", async () => {
    const events = createRepeatedEvents(server.database);
    await events.note(failure({ actor: "once" }));
    await close(START + REPEAT_WINDOW_MS);
    expect((await entries("permission")).filter(({ actorID }) => actorID === "once")).toHaveLength(1);
  });

  test("of another actor, address or operation are entries of their own, and so are those of a later window", async () => {
    const events = createRepeatedEvents(server.database);
    const before = await countEntries("permission");
    const given = [{}, { actor: "mallory" }, { address: "192.0.2.2" }, { operationID: "patchTag" }, { now: START + REPEAT_WINDOW_MS }];
    for (const one of given) {
      if (one.now) await close(one.now);
      await events.note(failure(one));
    }
    expect(await countEntries("permission")).toBe(before + given.length);
    await close(START + 2 * REPEAT_WINDOW_MS);
  });

  test("of thousands of actors and addresses are about a hundred entries in a window", async () => {
    const events = createRepeatedEvents(server.database);
    const before = await countEntries("permission");
    for (let number = 0; number < 300; number++)
      await events.note(failure({ actor: `bot ${number}`, address: `198.51.100.${number % 256}` }));
    expect(await countEntries("permission")).toBe(before + 101);
    while ((await close(START + REPEAT_WINDOW_MS)) > 0);
    const all = await entries("permission");
    expect(all.length).toBe(before + 102);
    expect(all.at(-1)).toMatchObject({ actorID: "several", operationID: "several", address: null });
    expect(JSON.parse(all.at(-1)?.after ?? "")).toMatchObject({ repetitions: 199 });
  });

  test("keep long names of callers short", async () => {
    await createRepeatedEvents(server.database).note(failure({ actor: "x".repeat(5_000) }));
    const [last] = (await entries("permission")).slice(-1);
    expect([last?.actorID.length, last?.actorName.length]).toEqual([200, 200]);
  });
});

describe("first uses of a console key", () => {
  test("from thousands of addresses are a hundred entries and one for all others", async () => {
    const addresses = createKeyAddresses(server.database, createRepeatedEvents(server.database));
    const before = await countEntries("console_key_use");
    const { actor, projectID } = failure({ actor: "key_1" });
    const use = (address: string) => addresses.note({ actor, projectID } as never, { address, userAgent: null, requestID: null }, START);
    for (let number = 0; number < 130; number++) await use(`203.0.113.${number}`);
    expect(await countEntries("console_key_use")).toBe(before + 101);
    for (let number = 0; number < 130; number++) await use(`203.0.113.${number}`);
    expect(await countEntries("console_key_use")).toBe(before + 101);
  });

  test("are noted once by several replicas", async () => {
    const replicas = [1, 2, 3].map(() => createKeyAddresses(server.database, createRepeatedEvents(server.database)));
    const before = await countEntries("console_key_use");
    const { actor, projectID } = failure({ actor: "key_2" });
    const origin = { address: "203.0.113.7", userAgent: null, requestID: null };
    await Promise.all(replicas.map((one) => one.note({ actor, projectID } as never, origin, START)));
    expect(await countEntries("console_key_use")).toBe(before + 1);
  });
});

describe("an unread stream of the audit log", () => {
  test("keeps no transaction open: writes go on, and the stream shows what was there when it came to it", async () => {
    const { data: config } = await server.client.createDynamicConfig({ body: { name: "large" } });
    for (let number = 1; number <= 6; number++) {
      const defaultValue = { text: `${number}${"x".repeat(900_000)}` };
      await server.client.patchDynamicConfig({ path: { id: config.id }, body: { defaultValue } });
    }
    const headers = { "SERVICE-API-KEY": server.key, Accept: "application/x-ndjson" };
    const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
      request(`${server.url}/console/v1/audit_logs?sortOrder=asc&actionType=patchDynamicConfig`, { headers }, resolve)
        .once("error", reject)
        .end();
    });
    response.pause();
    await server.client.createTag({ body: { name: "meanwhile" } });
    if (server.database.url !== undefined) {
      const open = await server.database.prisma.$queryRaw<unknown[]>`
        select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
      expect(open).toEqual([]);
    }
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk;
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).version),
    ).toEqual([2, 3, 4, 5, 6, 7]);
  });
});

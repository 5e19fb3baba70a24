import { changes } from "@gatehouse/client";
import type { Response } from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Credentials } from "../../src/common/context.ts";
import { EVERY_PERMISSION } from "../../src/common/permissions.ts";
import { createChangeStreams } from "../../src/http/console/change-streams.ts";
import { breakTables } from "../support/faults.ts";
import { makeKey } from "../support/keys.ts";
import { type Listening, listen } from "../support/ofrep.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let replica: TestServer;
const open = new Set<Listening>();
beforeAll(async () => {
  server = await startServer();
  replica = await server.replica();
});
beforeEach(() => {
  for (const stream of open) stream.close();
  open.clear();
});
afterAll(async () => {
  for (const stream of open) stream.close();
  await replica.close();
  await server.close();
});

const STREAM = "/console/v1/changes/stream";
async function start({ at = server, query = "", key = server.key, headers = {} as Record<string, string> } = {}) {
  const stream = await listen(at, `${STREAM}${query}`, { ...(key && { "SERVICE-API-KEY": key }), ...headers });
  open.add(stream);
  return stream;
}
const lastSeq = async () => (await server.send("GET", "/console/v1/changes?limit=1")).body.data[0].seq as number;
let count = 0;
const change = async () => (await server.client.createGate({ body: { name: `change ${++count}` } })).data.id;
const changeMessage = (entityID: string) => ({ event: "change", id: expect.any(String), data: expect.objectContaining({ entityID }) });

describe("streamChanges", () => {
  test("200: tells listeners of every replica of each change, in order", async () => {
    const streams = [await start(), await start({ at: replica })];
    for (const stream of streams) {
      expect(stream.status).toBe(200);
      expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
      expect(stream.headers.get("Cache-Control")).toBe("no-cache, no-transform");
      const connected = await stream.next();
      const { seq } = (connected as { data: { seq: number } }).data;
      expect(connected).toEqual({ retry: "2000", id: `${seq}`, event: "connected", data: { seq: expect.any(Number) } });
    }
    const id = await change();
    await server.client.patchGate({ path: { id }, body: { description: "changed" } });
    const [patched, created] = (await server.send("GET", `/console/v1/changes?entityID=${id}`)).body.data;
    for (const stream of streams) {
      for (const { seq, time, entityType, entityID, version, operationID } of [created, patched]) {
        const data = { seq, time, entityType, entityID, version, operationID };
        expect(await stream.next()).toEqual({ id: `${seq}`, event: "change", data });
      }
    }
    expect([created.version, patched.version]).toEqual([1, 2]);
  });

  test("tells of a change that alters neither lists nor the ruleset", async () => {
    const id = await makeTeam(server);
    const stream = await start();
    await stream.next();
    await server.client.patchTeam({ path: { id }, body: { requireReviews: true } as never });
    expect(await stream.next()).toMatchObject({ event: "change", data: { entityType: "team", entityID: id } });
  });

  test("tells only of entities that the listener may read", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const [reader, manager] = [await start({ key }), await start()];
    await reader.next();
    await manager.next();
    const made = await makeKey(server);
    const id = await change();
    expect(await reader.next()).toEqual(changeMessage(id));
    expect(await manager.next()).toEqual(changeMessage(made.id));
    expect(await manager.next()).toEqual(changeMessage(id));
  });

  test.each(["after", "Last-Event-ID"])("continues after the change in %s", async (name) => {
    const seq = await lastSeq();
    const ids = [await change(), await change()];
    const given = name === "after" ? { query: `?after=${seq}` } : { headers: { "Last-Event-ID": `${seq}` }, query: "?after=0" };
    const stream = await start(given);
    expect(await stream.next()).toMatchObject({ event: "connected", data: { seq } });
    for (const id of ids) expect(await stream.next()).toEqual(changeMessage(id));
  });

  test("continues from the number in somebody's account without missing what was changed since", async () => {
    const { person, headers } = await makePerson(server);
    await server.client.inviteUsers({ body: { role: "Viewer", emails: [person.email] } });
    const [{ lastSeq: after }] = (await server.send("GET", "/console/v1/session", { key: null, headers })).body.data.projects;
    expect(after).toBe(await lastSeq());
    const id = await change();
    const stream = await start({ key: "", headers, query: `?after=${after}` });
    expect(await stream.next()).toMatchObject({ event: "connected", data: { seq: after } });
    expect(await stream.next()).toEqual(changeMessage(id));
  });

  test("begins with reset after more than 1,000 missed changes, and after one that does not exist", async () => {
    const seq = await lastSeq();
    const ahead = await start({ query: `?after=${seq + 1}` });
    expect(await ahead.next()).toMatchObject({ event: "reset", data: { seq } });
    await server.database.prisma.$executeRawUnsafe(`
      insert into change ("projectID", "time", "actorID", "actorName", "operationID", "entityType", "entityID", "version")
      select 'default', 1, 'a', 'a', 'patchTag', 'tag', 't', n from generate_series(1, 1001) as n`);
    const last = seq + 1_001;
    const [many, all] = [await start({ query: `?after=${seq}` }), await start({ query: `?after=${seq + 1}` })];
    expect(await many.next()).toMatchObject({ event: "reset", data: { seq: last } });
    expect(await all.next()).toMatchObject({ event: "connected", data: { seq: seq + 1 } });
    for (let missed = seq + 2; missed <= last; missed++) expect(await all.next()).toMatchObject({ id: `${missed}` });
    const id = await change();
    for (const stream of [many, all]) expect(await stream.next()).toEqual(changeMessage(id));
  });

  test("ends when the key is deactivated", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const stream = await start({ key, at: replica });
    await stream.next();
    await server.client.deactivateKey({ path: { id } });
    // A key is trusted for half a second after it was looked up.
    replica.clock.now += 1_000;
    expect(await stream.next()).toBe(undefined);
  });

  test("ends when the session does, which a stream does not keep alive", async () => {
    const { person, headers } = await makePerson(server);
    await server.client.inviteUsers({ body: { role: "Viewer", emails: [person.email] } });
    const stream = await start({ key: "", headers });
    expect(stream.status).toBe(200);
    expect(await stream.next()).toMatchObject({ event: "connected" });
    server.clock.now += 13 * 60 * 60 * 1000;
    expect(await stream.next()).toBe(undefined);
  });

  test.each([
    ["?after=-1", {}],
    ["?after=x", {}],
    ["", { "Last-Event-ID": "x" }],
  ])("400 for %s %j", async (query, headers) => {
    expect((await server.send("GET", `${STREAM}${query}`, { headers: headers as Record<string, string> })).status).toBe(400);
  });

  test("403 for a key that may not read", async () => {
    await server.client.createRole({ body: { name: "Blind", permissions: {} } });
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"], role: "Blind" });
    expect((await server.send("GET", STREAM, { key })).status).toBe(403);
  });
});

describe("streams of changes are limited", () => {
  let small: TestServer;
  beforeAll(async () => {
    small = await server.replica(undefined, { changeStreams: { limit: 3, limitPerCaller: 2 } });
  });
  afterAll(() => small.close());

  test("429 for one too many of a caller, 503 for one too many of the server, and a closed one makes room", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const own = [await start({ at: small }), await start({ at: small })];
    const message = "The caller has reached its limit of open streams. Close one or try again later.";
    const refused = await small.send("GET", STREAM);
    expect([refused.status, refused.body.message, refused.headers.has("Retry-After")]).toEqual([429, message, true]);
    await start({ at: small, key });
    expect((await small.send("GET", STREAM, { key })).status).toBe(503);
    own[0]?.close();
    await waitFor(async () => expect((await start({ at: small, key })).status).toBe(200));
  });

  test("500 if the server has a fault before the stream begins", async () => {
    const broken = await startServer();
    // So that the key is known, and the stream itself meets the fault.
    await broken.send("GET", "/console/v1/tags");
    await breakTables(broken.database);
    expect(await broken.send("GET", STREAM)).toMatchObject({ status: 500, body: { code: "internal" } });
    await broken.close();
  });

  test("and end when the server stops", async () => {
    const stopping = await server.replica();
    const stream = await start({ at: stopping });
    await stream.next();
    await stopping.close();
    expect(await stream.next()).toBe(undefined);
  });

  test("a reader who falls behind gets no more notifications, and is disconnected at the next heartbeat", async () => {
    let isDestroyed = false;
    const sent: string[] = [];
    const response = {
      write: (text: string) => sent.push(text),
      once: () => response,
      on: () => response,
      end() {},
      destroy() {
        isDestroyed = true;
      },
      writableLength: 65_537,
    };
    const streams = createChangeStreams({ database: server.database, watch() {}, heartbeatMs: 1 });
    const caller = { projectID: "default", actor: { id: "key" }, permissions: EVERY_PERMISSION } as unknown as Credentials;
    const begin = await streams.open(caller, (await lastSeq()) - 1, async () => caller);
    begin(response as unknown as Response);
    await waitFor(() => expect([isDestroyed, sent.length]).toEqual([true, 1]));
  });
});

describe("the client's changes()", () => {
  test("connects again when the connection breaks, and continues after the last change", async () => {
    const first = await server.replica();
    const urls = [first.url, server.url];
    const fetchAt = (request: Request) => {
      const url = urls.length > 1 ? (urls.shift() as string) : (urls[0] as string);
      return fetch(new Request(request.url.replace(server.url, url), request));
    };
    const { createConsoleClient } = await import("@gatehouse/client");
    const api = createConsoleClient({ baseUrl: server.url, apiKey: server.key, fetch: fetchAt });
    const abort = new AbortController();
    const after = await lastSeq();
    const listening = changes(api, { after, signal: abort.signal, reconnectDelayMs: 1 });
    const id = await change();
    expect((await listening.next()).value).toMatchObject({ type: "change", entityType: "gate", entityID: id });
    await first.close();
    const missed = await change();
    expect((await listening.next()).value).toMatchObject({ type: "change", entityID: missed });
    const ended = listening.next();
    abort.abort();
    expect(await ended).toEqual({ done: true, value: undefined });
  });

  test("yields a reset, and throws when the caller is refused", async () => {
    const { createConsoleClient } = await import("@gatehouse/client");
    const api = createConsoleClient({ baseUrl: server.url, apiKey: server.key });
    const listening = changes(api, { after: 1_000_000 });
    expect((await listening.next()).value).toEqual({ type: "reset", seq: await lastSeq() });
    await listening.return(undefined);
    const refused = changes(createConsoleClient({ baseUrl: server.url, apiKey: "console-none" }));
    await expect(refused.next()).rejects.toMatchObject({ operationId: "streamChanges", status: 401 });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { evaluateAll, listen, readStreamUrl, type StreamEvent, untilSeen } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let key: { id: string; key: string };
let requestUri: string;
let count = 0;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  // Moves past the period when a recent change is announced.
  server.clock.now += 600_000;
  key = await makeKey(server, { type: "CLIENT" });
  requestUri = await readStreamUrl(server, key.key);
  server.clock.now += 600_000;
});

/** Changes the flags. */
async function change() {
  count += 1;
  return (await server.client.createGate({ body: { name: `change ${count}` } })).data;
}

const refetch = {
  id: expect.stringMatching(/^\d+\..+$/),
  event: "message",
  data: { type: "refetchEvaluation", etag: expect.stringMatching(/^\d+\..+$/), lastModified: expect.any(Number) },
};

describe("streamFlagChanges", () => {
  test("200: sends a connected event, and an event to evaluate again after each change", async () => {
    const stream = await listen(server, requestUri);
    expect(stream.status).toBe(200);
    expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
    expect(stream.headers.get("Cache-Control")).toBe("no-cache, no-transform");
    expect(stream.headers.get("X-Accel-Buffering")).toBe("no");
    expect(stream.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const id = expect.stringMatching(/^\d+\..+$/);
    expect(await stream.next()).toEqual({ retry: "2000", id, event: "message", data: { type: "connected" } });
    const tag = (await evaluateAll(server, { targetingKey: "alice" }, { key: key.key })).headers.get("ETag") as string;
    await change();
    const message = await stream.next();
    expect(message).toEqual(refetch);
    const { etag } = (message as { data: { etag: string } }).data;
    const query = `?flagConfigEtag=${encodeURIComponent(etag)}`;
    const again = await evaluateAll(server, { targetingKey: "alice" }, { key: key.key, query, headers: { "If-None-Match": tag } });
    expect(again.status).toBe(200);
    stream.close();
  });

  test("200: immediately announces a change since Last-Event-ID, if there was one", async () => {
    const first = await listen(server, requestUri);
    const id = (await first.next())?.id as string;
    first.close();
    const unchanged = await listen(server, requestUri, { "Last-Event-ID": id });
    expect(await unchanged.next()).toMatchObject({ id, data: { type: "connected" } });
    unchanged.close();
    await change();
    await waitFor(async () =>
      expect(
        await (async () => {
          const changed = await listen(server, requestUri, { "Last-Event-ID": id });
          const event = await changed.next();
          changed.close();
          return event;
        })(),
      ).toMatchObject({ data: { type: "refetchEvaluation" } }),
    );
  });

  test("200: announces a change within the last minute to a new client, which may have evaluated before it", async () => {
    await change();
    await waitFor(async () =>
      expect(
        await (async () => {
          const stream = await listen(server, requestUri);
          const event = await stream.next();
          stream.close();
          return event;
        })(),
      ).toMatchObject({ data: { type: "refetchEvaluation" } }),
    );
  });

  test("200: a change that the key does not see is not sent", async () => {
    const hidden = { name: "hidden_in_web", targetApps: ["iOS"] };
    const { data: app } = await server.client.createTargetApp({ body: { name: "web" } });
    const limited = await makeKey(server, { type: "CLIENT", targetAppID: app.id });
    const stream = await listen(server, await readStreamUrl(server, limited.key));
    const checksum = (event: StreamEvent | undefined) => event?.id?.split(".")[1];
    const known = checksum(await stream.next());
    await server.client.createGate({ body: hidden });
    await untilSeen(server, hidden.name);
    await change();
    const message = await stream.next();
    expect(message).toEqual(refetch);
    expect(checksum(message)).not.toBe(known);
    stream.close();
  });

  test("200: announces a burst of changes, including the last one", async () => {
    const stream = await listen(server, requestUri);
    await stream.next();
    const made = await Promise.all([change(), change(), change(), change(), change()]);
    let flags = "";
    while (!made.every(({ id }) => flags.includes(id))) {
      expect(await stream.next()).toEqual(refetch);
      flags = JSON.stringify((await evaluateAll(server, { targetingKey: "alice" }, { key: key.key })).body);
    }
    stream.close();
  });

  test("a stream ends when its key is deactivated, and its token is rejected afterwards", async () => {
    const stream = await listen(server, requestUri);
    await stream.next();
    await server.client.deactivateKey({ path: { id: key.id } });
    expect(await stream.next()).toBeUndefined();
    server.clock.now += 1_000;
    expect((await server.send("GET", requestUri, { key: null })).status).toBe(401);
  });

  test("a stream ends when its key is rotated, and the new secret's token opens another", async () => {
    const stream = await listen(server, requestUri);
    await stream.next();
    const { data } = await server.client.rotateKey({ path: { id: key.id } });
    expect(await stream.next()).toBeUndefined();
    server.clock.now += 1_000;
    expect((await server.send("GET", requestUri, { key: null })).status).toBe(401);
    const again = await listen(server, await readStreamUrl(server, data.key as string));
    expect(again.status).toBe(200);
    again.close();
  });

  test("streams end when the server stops, and do not delay it", async () => {
    const stopping = await startServer();
    const { key: other } = await makeKey(stopping, { type: "CLIENT" });
    const stream = await listen(stopping, await readStreamUrl(stopping, other));
    await stream.next();
    await Promise.all([stopping.close(), expect(stream.next()).resolves.toBeUndefined()]);
  });

  test("429: the key has reached its limit of streams; 503: the server has reached its limit", async () => {
    const small = await startServer({ streams: { limit: 3, limitPerKey: 2 } });
    const uris = await Promise.all(
      ["one", "two"].map(async (description) => readStreamUrl(small, (await makeKey(small, { type: "CLIENT", description })).key)),
    );
    const [one, two] = uris as [string, string];
    const open = [await listen(small, one), await listen(small, one)];
    const refused = await small.send("GET", one, { key: null });
    expect([refused.status, refused.headers.get("Retry-After"), refused.body]).toEqual([
      429,
      "30",
      { errorCode: "GENERAL", errorDetails: "The key has reached its limit of open streams. Close one or try again later." },
    ]);
    open.push(await listen(small, two));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
    const full = await small.send("GET", two, { key: null });
    expect([full.status, full.headers.get("Retry-After"), full.body]).toEqual([
      503,
      "1",
      { errorCode: "GENERAL", errorDetails: "The server has reached its limit of open streams. Try again later." },
    ]);
    for (const { close } of open) close();
    await waitFor(async () => expect((await listen(small, one)).status).toBe(200));
    await small.close();
  });

  test.each([
    ["no token", ""],
    ["an empty one", "?token="],
    ["one of no key", "?token=default.key_x.y"],
    ["one with U+0000", "?token=default.%00.y"],
    ["a long one", `?token=${"x".repeat(3_000)}`],
  ])("401: %s", async (_, query) => {
    const { status, body } = await server.send("GET", `/ofrep/v1/stream${query}`, { key: null });
    expect(status).toBe(401);
    expect(body).toMatchObject({ errorCode: "GENERAL" });
  });

  test("401: a stream's token for another operation, and a key for a stream", async () => {
    const token = new URL(requestUri, server.url).searchParams.get("token") as string;
    const asKey = await server.send("POST", "/ofrep/v1/evaluate/flags", { key: token, body: { context: { targetingKey: "alice" } } });
    expect(asKey.status).toBe(401);
    expect((await server.send("GET", "/ofrep/v1/stream", { key: key.key })).status).toBe(401);
  });
});

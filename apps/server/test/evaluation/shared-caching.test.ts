import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startTestRelay } from "../support/relay.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PRIVATE = { "Cache-Control": "private, no-cache" };
const SHARED = {
  "Cache-Control": "max-age=0, s-maxage=10, stale-if-error=86400",
  "CDN-Cache-Control": "max-age=10, stale-while-revalidate=10, stale-if-error=86400",
};
const VARY = { Vary: "Accept-Encoding" };

type Sender = Pick<TestServer, "send">;

let server: TestServer;
let senders: Record<string, Sender>;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await startServer({ cdnMaxAge: 10 });
  const relay = await startTestRelay(server, { cdnMaxAge: 10 });
  const without = await server.replica(undefined, { cdnMaxAge: "off" });
  closing.push(relay.close, without.close, server.close);
  senders = { "a server": server, "a relay": relay, "a server without GATEHOUSE_CDN_MAX_AGE": without };
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** The status of a response, its headers about caches, and its ETag. */
async function request(sender: Sender | undefined, path: string, headers: Record<string, string> = {}) {
  const answer = await (sender as Sender).send("GET", path, { key: null, headers });
  const caching = [...Object.keys(SHARED), "Vary"].filter((name) => answer.headers.has(name));
  return {
    answer: { status: answer.status, ...Object.fromEntries(caching.map((name) => [name, answer.headers.get(name)])) },
    tag: answer.headers.get("ETag") ?? "",
    body: answer.body,
  };
}

const downloads = ["/v1/download_config_specs", "/v2/download_config_specs"];

describe.each(["a server", "a relay"])("%s", (name) => {
  test.each(downloads)("lets shared caches store %s with the key in the path", async (path) => {
    const { key } = await makeKey(server);
    const { answer, tag, body } = await request(senders[name], `${path}/${key}.json`);
    expect(answer).toEqual({ status: 200, ...SHARED, ...VARY });
    const unchanged = await request(senders[name], `${path}/${key}.json`, { "If-None-Match": tag });
    expect([unchanged.answer, unchanged.tag]).toEqual([{ status: 304, ...SHARED, ...VARY }, tag]);
    const polled = await request(senders[name], `${path}/${key}.json?checksum=${body.checksum}`);
    expect([polled.answer, polled.body]).toEqual([{ status: 200, ...SHARED }, { has_updates: false }]);
    const repeated = await request(senders[name], `${path}/${key}.json`, { "STATSIG-API-KEY": key });
    expect(repeated.answer).toEqual({ status: 200, ...SHARED, ...VARY });
  });

  test.each(downloads)("keeps %s of a key with allowed addresses from shared caches", async (path) => {
    const { key } = await makeKey(server, { allowedAddresses: ["127.0.0.0/8"] });
    const { answer, tag } = await request(senders[name], `${path}/${key}.json`);
    expect(answer).toEqual({ status: 200, ...PRIVATE, ...VARY });
    const unchanged = await request(senders[name], `${path}/${key}.json`, { "If-None-Match": tag });
    expect(unchanged.answer).toEqual({ status: 304, ...PRIVATE, ...VARY });
  });

  test("keeps responses from shared caches if a key outside the path decides them", async () => {
    const [{ key }, { key: other }] = [await makeKey(server), await makeKey(server)];
    for (const path of downloads) {
      for (const header of ["SERVICE-API-KEY", "STATSIG-API-KEY", "X-API-Key"]) {
        expect((await request(senders[name], `${path}/${key}.json`, { [header]: other })).answer).toEqual({
          status: 200,
          ...PRIVATE,
          ...VARY,
        });
        expect((await request(senders[name], path, { [header]: key })).answer).toEqual({ status: 200, ...PRIVATE, ...VARY });
      }
      const inQuery = [`${path}/${key}.json?k=${other}`, `${path}?k=${key}`];
      for (const url of inQuery) expect((await request(senders[name], url)).answer).toEqual({ status: 200, ...PRIVATE, ...VARY });
    }
  });

  test("keeps errors from shared caches", async () => {
    const { key } = await makeKey(server, { type: "CLIENT" });
    const refused = [
      [`/v1/download_config_specs/${key}.json`, 403],
      ["/v1/download_config_specs/secret-0123456789abcdef.json", 401],
    ] as const;
    for (const [path, status] of refused) expect((await request(senders[name], path)).answer).toEqual({ status, ...PRIVATE });
  });

  test("keeps the result of initialize from shared caches", async () => {
    const { headers } = await (senders[name] as Sender).send("POST", "/v1/initialize", {
      key: server.key,
      body: { user: { userID: "alice" } },
    });
    expect([headers.get("Cache-Control"), headers.get("CDN-Cache-Control")]).toEqual(["private, no-cache", null]);
  });
});

test("a server without GATEHOUSE_CDN_MAX_AGE keeps all rulesets from shared caches", async () => {
  const { key } = await makeKey(server);
  for (const path of downloads) {
    const { answer } = await request(senders["a server without GATEHOUSE_CDN_MAX_AGE"], `${path}/${key}.json`);
    expect(answer).toEqual({ status: 200, ...PRIVATE, ...VARY });
  }
});

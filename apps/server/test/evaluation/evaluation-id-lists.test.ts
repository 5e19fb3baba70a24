import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { fileLine, makeList } from "../support/segments.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let list: string;
const first = Array.from({ length: 1001 }, (_, index) => `user ${index}`);
beforeAll(async () => {
  server = await startServer();
  list = await makeList(server, first);
  await giveGate("for_list", list);
  await waitFor(async () => expect(Object.keys(await lists())).toEqual([list]));
});
afterAll(() => server.close());

const lists = async (key = server.key) => (await server.send("POST", "/v1/get_id_lists", { key, body: {} })).body;
/** Creates a gate that passes the ids of a list. */
function giveGate(name: string, targetValue: string) {
  const rules = [{ name: "Listed", passPercentage: 100, conditions: [{ type: "passes_segment" as const, targetValue }] }];
  return server.client.createGate({ body: { name, isEnabled: true, rules } });
}

const sortedLines = (text: string) => text.split("\n").slice(0, -1).toSorted();
const get = (url: string, range?: string) => fetch(url, { headers: range === undefined ? {} : { Range: range } });

describe("listIDLists", () => {
  test("200: the URL of the file of each list that the ruleset references", async () => {
    expect(await lists()).toEqual({
      [list]: {
        name: list,
        size: 10 * first.length,
        url: expect.stringContaining(`${server.url}/v1/id_lists/${list}/`),
        creationTime: server.clock.now,
        fileID: expect.stringMatching(/^\d+-\w+$/),
      },
    });
  });

  test("200: accepts a missing body, as one SDK sends; omits short lists, whose ids are in the ruleset", async () => {
    await giveGate("for_few", await makeList(server, ["alice", "bob"]));
    const specs = async () => (await server.send("GET", "/v1/download_config_specs")).text;
    await waitFor(async () => expect(await specs()).toContain("for_few"));
    expect(Object.keys((await server.send("POST", "/v1/get_id_lists")).body)).toEqual([list]);
  });

  test("200: uses the URL that the caller sent the request to, even through a proxy if the proxy is trusted", async () => {
    const originFor = async (at: TestServer, headers: Record<string, string>) =>
      new URL((await at.send("POST", "/v1/get_id_lists", { headers })).body[list].url).origin;
    const forwarded = { "X-Forwarded-Host": "evil.example, flags.example.com", "X-Forwarded-Proto": "https" };
    expect(await originFor(server, forwarded)).toBe(server.url);
    const behindProxy = await server.replica(undefined, { trustedProxies: ["127.0.0.1"] });
    expect(await originFor(behindProxy, forwarded)).toBe("https://flags.example.com");
    expect(await originFor(behindProxy, { "X-Forwarded-Proto": "javascript" })).toBe(behindProxy.url);
    await behindProxy.close();
    const named = await server.replica(undefined, { trustedProxies: ["127.0.0.1"], publicUrl: "https://public.example.com" });
    expect(await originFor(named, forwarded)).toBe("https://public.example.com");
    await named.close();
  });
});

describe("a list that was deleted and recreated under its id", () => {
  test("has a new file, named by its new creation time", async () => {
    const fresh = await startServer();
    const files = async () => (await fresh.send("POST", "/v1/get_id_lists", { body: {} })).body;
    const begin = async () => {
      const { id } = (await fresh.client.createSegment({ body: { name: "reborn", type: "id_list" } })).data;
      await fresh.client.addSegmentIDs({ path: { id }, body: { ids: first } });
      return id;
    };
    const id = await begin();
    const rules = [{ name: "Listed", passPercentage: 100, conditions: [{ type: "passes_segment" as const, targetValue: id }] }];
    await fresh.client.createGate({ body: { name: "for_reborn", isEnabled: true, rules } });
    await expect.poll(files).toHaveProperty([id, "creationTime"], fresh.clock.now);
    await fresh.client.deleteSegment({ path: { id }, query: { forceArchive: true } });
    fresh.clock.now += 60_000;
    expect(await begin()).toBe(id);
    // Until this replica has seen the new list, its name is that of the old one.
    const isWhole = async () => {
      const { [id]: file } = await files();
      if (file?.creationTime !== fresh.clock.now) return false;
      return sortedLines(await (await get(file.url)).text()).length === file.size / 10;
    };
    await expect.poll(isWhole).toBe(true);
    await fresh.close();
  });
});

describe("getIDListFile", () => {
  test("200: the whole file with its length, uncompressed, without a key", async () => {
    const { url, size } = (await lists())[list];
    const response = await fetch(url, { headers: { "Accept-Encoding": "gzip" } });
    expect([response.status, response.headers.get("Content-Length"), response.headers.get("Content-Encoding")]).toEqual([
      200,
      String(size),
      null,
    ]);
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(sortedLines(await response.text())).toEqual(first.map((id) => fileLine("+", id)).toSorted());
  });

  test("206: the changes since an offset, in their order", async () => {
    const { size, fileID } = (await lists())[list];
    await server.client.addSegmentIDs({ path: { id: list }, body: { ids: ["late"] } });
    await server.client.removeSegmentIDs({ path: { id: list }, body: { ids: ["user 7"] } });
    const now = (await lists())[list];
    expect([now.size, now.fileID]).toEqual([size + 20, fileID]);
    const response = await get(now.url, `bytes=${size}-`);
    expect([response.status, response.headers.get("Content-Length"), response.headers.get("Content-Range")]).toEqual([
      206,
      "20",
      `bytes ${size}-${size + 19}/${size + 20}`,
    ]);
    expect(await response.text()).toBe(`${fileLine("+", "late")}\n${fileLine("-", "user 7")}\n`);
    expect(await (await get(now.url, `bytes=${size + 1}-${size + 10}`)).text()).toBe(
      `${fileLine("+", "late").slice(1)}\n${fileLine("-", "user 7").slice(0, 1)}`,
    );
  });

  test("206: the whole file for a range from 0, as in an SDK's first request", async () => {
    const { url, size } = (await lists())[list];
    const response = await get(url, "bytes=0-");
    expect([response.status, (await response.text()).length]).toEqual([206, size]);
  });

  test("200: a whole file that is read in several chunks", async () => {
    const big = await makeList(server);
    for (let part = 0; part < 3; part++) {
      const ids = Array.from({ length: 50_000 }, (_, index) => `${part} ${index}`);
      await server.client.addSegmentIDs({ path: { id: big }, body: { ids } });
    }
    await giveGate("for_big", big);
    await waitFor(async () => expect(Object.keys(await lists())).toContain(big));
    const { url, size } = (await lists())[big];
    const text = await (await get(url)).text();
    expect([size, text.length, new Set(sortedLines(text)).size]).toEqual([1_500_000, 1_500_000, 150_000]);
  });

  test("416: a range that starts at or beyond the end", async () => {
    const { url, size } = (await lists())[list];
    for (const from of [size, size + 10]) {
      const response = await get(url, `bytes=${from}-`);
      const message = `The file has ${size} bytes.`;
      expect([response.status, await response.json()]).toEqual([416, { status: 416, code: "range_not_satisfiable", message }]);
    }
  });

  test("401: no token, a token for another file, and a token of a deactivated key", async () => {
    const { id, key } = await makeKey(server);
    const url = new URL((await lists(key))[list].url);
    const token = url.searchParams.get("token");
    expect((await get(url.href)).status).toBe(200);
    expect(await server.send("GET", url.pathname, { key: null })).toMatchObject({
      status: 401,
      body: { message: "The token of this URL is required in the query." },
    });
    for (const wrong of [`${url.pathname}x?token=${token}`, `${url.pathname}?token=${token}x`, `${url.pathname}?token=default.${id}.`]) {
      expect((await server.send("GET", wrong, { key: null })).status).toBe(401);
    }
    await server.client.deactivateKey({ path: { id } });
    server.clock.now += 500;
    expect((await get(url.href)).status).toBe(401);
  });

  test("404: a file that a reset replaced; the new file has another id and no earlier time", async () => {
    const before = (await lists())[list];
    server.clock.now += 1_000;
    const ids = first.map((id) => `new ${id}`);
    await server.client.resetSegmentIDList({ path: { id: list }, body: { ids } });
    await waitFor(async () => expect((await lists())[list].fileID).not.toBe(before.fileID));
    const after = (await lists())[list];
    expect([after.size, after.creationTime]).toEqual([10 * ids.length, server.clock.now]);
    expect((await get(before.url)).status).toBe(404);
    expect(sortedLines(await (await get(after.url)).text())).toEqual(ids.map((id) => fileLine("+", id)).toSorted());
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (let index = 0; index < 10; index++)
    await server.client.createGate({ body: { name: `gate ${index}`, description: "long ".repeat(100) } });
});
afterAll(() => server.close());

const get = (path: string, accepted: string, headers: Record<string, string> = {}) =>
  server.send("GET", path, { headers: { "Accept-Encoding": accepted, ...headers } });
const encodingAndTag = ({ headers }: { headers: Headers }) => [headers.get("Content-Encoding"), headers.get("ETag")];

describe("an answer of the console API", () => {
  test.each([
    ["gzip", "gzip"],
    ["gzip, deflate, br", "br"],
  ])("is compressed if it is long and the caller accepts %s, and has the same content", async (accepted, encoding) => {
    const [plain, compressed] = [await get("/console/v1/gates", "identity"), await get("/console/v1/gates", accepted)];
    expect(encodingAndTag(plain)).toEqual([null, null]);
    expect(encodingAndTag(compressed)).toEqual([encoding, null]);
    expect(plain.headers.get("Vary")).toContain("Accept-Encoding");
    expect(compressed.text).toBe(plain.text);
    expect(Number(compressed.headers.get("Content-Length"))).toBeLessThan(plain.text.length / 5);
  });

  test("is not compressed if it is short", async () => {
    const answer = await get("/console/v1/gates/gate_1/overrides", "gzip");
    expect([answer.status, ...encodingAndTag(answer)]).toEqual([201, null, expect.any(String)]);
  });

  test("has a different ETag in each encoding, and each ETag guards a write and saves a read", async () => {
    const { data } = await server.client.createGate({ body: { name: "large", description: "x".repeat(900) } });
    const userIDs = Array.from({ length: 500 }, (_, index) => `user number ${index}`);
    const path = `/console/v1/gates/${data.id}/overrides`;
    await server.client.updateGateOverrides({ path: { id: data.id }, body: { passingUserIDs: userIDs, failingUserIDs: [] } });
    const [, plain] = encodingAndTag(await get(path, "identity"));
    const [, gzip] = encodingAndTag(await get(path, "gzip"));
    expect(gzip).toBe(plain?.replace(/"$/, ':gzip"'));
    for (const tag of [plain, gzip]) {
      const { status } = await get(path, "gzip", { "If-None-Match": tag ?? "", "Cache-Control": "max-age=0" });
      expect(status).toBe(304);
    }
    const put = (body: object) => server.send("POST", path, { body, headers: { "If-Match": gzip ?? "" } });
    expect((await put({ passingUserIDs: ["one"], failingUserIDs: [] })).status).toBe(201);
    expect((await put({ passingUserIDs: ["two"], failingUserIDs: [] })).status).toBe(412);
  });
});

test.each(["/docs/api/console", "/docs/", "/openapi/console.json", "/openapi/scim.json"])(
  "%s is compressed, and is 304 for a caller who has it",
  async (path) => {
    const [plain, gzip] = [await get(path, "identity"), await get(path, "gzip")];
    expect([plain, gzip].map(({ headers }) => headers.get("Content-Encoding"))).toEqual([null, "gzip"]);
    expect(gzip.text).toBe(plain.text);
    for (const { headers } of [plain, gzip]) {
      const held = { "If-None-Match": headers.get("ETag") ?? "", "Cache-Control": "max-age=0" };
      expect((await get(path, "gzip", held)).status).toBe(304);
    }
  },
);

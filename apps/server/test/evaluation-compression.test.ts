import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { evaluateAll } from "./support/ofrep.ts";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (let index = 0; index < 40; index++) await server.client.createGate({ body: { name: `gate ${index}` } });
  await vi.waitFor(async () => expect((await evaluateAll(server, alice)).body.flags).toHaveLength(40));
});
afterAll(() => server.close());

const alice = { targetingKey: "alice" };
const encodedFor = async (encodings: string, body: object = { context: alice }, path = "/ofrep/v1/evaluate/flags") => {
  const answer = await server.send("POST", path, { body, headers: { "Accept-Encoding": encodings } });
  return { encoding: answer.headers.get("Content-Encoding"), tag: answer.headers.get("ETag"), ...answer };
};

describe("an answer that is made for one request", () => {
  test("is compressed by gzip where it is long and the caller takes that, and says the same", async () => {
    const [plain, gzip] = [await encodedFor("identity"), await encodedFor("br, gzip")];
    expect([plain.encoding, gzip.encoding]).toEqual([null, "gzip"]);
    expect([plain.headers.get("Vary"), gzip.headers.get("Vary")]).toEqual(["Accept-Encoding", "Accept-Encoding"]);
    expect(gzip.text).toBe(plain.text);
    expect(Number(gzip.headers.get("Content-Length"))).toBeLessThan(plain.text.length / 4);
  });

  test("has a weak tag when it is compressed, which is held as the strong one is", async () => {
    const [plain, gzip] = [await encodedFor("identity"), await encodedFor("gzip")];
    expect(gzip.tag).toBe(`W/${plain.tag}`);
    const { status } = await evaluateAll(server, alice, { headers: { "If-None-Match": gzip.tag ?? "" } });
    expect(status).toBe(304);
  });

  test("is sent as it is where it is short", async () => {
    const { status, encoding } = await encodedFor("gzip", { gateName: "gate_1", user: { userID: "alice" } }, "/v1/check_gate");
    expect([status, encoding]).toEqual([200, null]);
  });

  test("is compressed for client SDKs too", async () => {
    expect(await encodedFor("gzip, deflate, br", { user: { userID: "alice" } }, "/v1/initialize")).toMatchObject({
      status: 200,
      encoding: "gzip",
    });
  });
});

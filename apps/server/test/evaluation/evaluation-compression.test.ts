import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluateAll } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (let index = 0; index < 40; index++) await server.client.createGate({ body: { name: `gate ${index}` } });
  await waitFor(async () => expect((await evaluateAll(server, alice)).body.flags).toHaveLength(40));
});
afterAll(() => server.close());

const alice = { targetingKey: "alice" };
const encodedFor = async (encodings: string, body: object = { context: alice }, path = "/ofrep/v1/evaluate/flags") => {
  const answer = await server.send("POST", path, { body, headers: { "Accept-Encoding": encodings } });
  return { encoding: answer.headers.get("Content-Encoding"), tag: answer.headers.get("ETag"), ...answer };
};

describe("a response that is computed per request", () => {
  test.each([
    ["gzip", "gzip", 4],
    ["gzip, deflate, br", "br", 5],
  ])("is compressed where it is long and the caller takes %s, and says the same", async (accepted, encoding, factor) => {
    const [plain, compressed] = [await encodedFor("identity"), await encodedFor(accepted)];
    expect([plain.encoding, compressed.encoding]).toEqual([null, encoding]);
    expect([plain.headers.get("Vary"), compressed.headers.get("Vary")]).toEqual(["Accept-Encoding", "Accept-Encoding"]);
    expect(compressed.text).toBe(plain.text);
    expect(Number(compressed.headers.get("Content-Length"))).toBeLessThan(plain.text.length / factor);
  });

  test("has a weak ETag if it is compressed, which matches like the strong one", async () => {
    const [plain, gzip] = [await encodedFor("identity"), await encodedFor("gzip")];
    expect(gzip.tag).toBe(`W/${plain.tag}`);
    const { status } = await evaluateAll(server, alice, { headers: { "If-None-Match": gzip.tag ?? "" } });
    expect(status).toBe(304);
  });

  test("is not compressed if it is short", async () => {
    const { status, encoding } = await encodedFor("gzip", { gateName: "gate_1", user: { userID: "alice" } }, "/v1/check_gate");
    expect([status, encoding]).toEqual([200, null]);
  });

  test("is compressed for client SDKs too", async () => {
    expect(await encodedFor("gzip, deflate", { user: { userID: "alice" } }, "/v1/initialize")).toMatchObject({
      status: 200,
      encoding: "gzip",
    });
  });
});

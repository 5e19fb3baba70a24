import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await server.client.createTag({ body: { name: "checkout" } });
});

afterAll(() => server.close());

describe("The target of a request", () => {
  it.each(["http://127.0.0.1", "HTTP://other.example:81", "https://other.example"])("may be a whole URL at %s", async (origin) => {
    const { status, body } = await get(`${origin}/console/v1/tags?limit=1`);
    expect(status).toBe(200);
    expect(body.pagination.itemsPerPage).toBe(1);
    expect((await get(`${origin}/v2/download_config_specs`)).body.has_updates).toBe(true);
  });

  it("is read without its fragment", async () => {
    expect((await get("/console/v1/tags?limit=1#part")).body.pagination.itemsPerPage).toBe(1);
    expect((await get("/console/v1/tags#part?limit=1")).body.pagination.itemsPerPage).toBe(100);
    expect((await get("/v2/download_config_specs#part")).body.has_updates).toBe(true);
  });

  it("can be a URL without a path", async () => {
    expect((await get("http://127.0.0.1")).location).toBe("/docs");
    expect((await get("http://127.0.0.1?limit=1")).location).toBe("/docs");
  });
});

/** Sends the target unchanged, since `fetch` would normalize it. */
function get(target: string): Promise<{ status: number | undefined; location: string | undefined; body: any }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: target, headers: { "SERVICE-API-KEY": server.key } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const { location } = response.headers;
      resolve({ status: response.statusCode, location, body: location ? undefined : JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sent.once("error", reject).end();
  });
}

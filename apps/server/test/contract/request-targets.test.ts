import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../support/raw-request.ts";
import { startServer, type TestServer } from "../support/server.ts";

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
    for (const target of ["http://127.0.0.1", "http://127.0.0.1?limit=1"])
      expect((await sendRaw(server.url, target)).text).toContain("<title>Gatehouse</title>");
  });
});

/** The JSON that answers the target. */
async function get(target: string): Promise<{ status: number; body: any }> {
  const { status, text } = await sendRaw(server.url, target, { headers: { "SERVICE-API-KEY": server.key } });
  return { status, body: JSON.parse(text) };
}

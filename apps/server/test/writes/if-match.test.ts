import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireMatch } from "../../src/store/requests/precondition.ts";
import { startServer, type TestServer } from "../support/server.ts";

// If-Match refers to the entity that the path addresses. contract.test.ts sends each operation an ETag that matches and one that doesn't.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("If-Match", () => {
  test("matches if the path addresses a tag or a target app by its name, or a key by its secret", async () => {
    const { etag } = await server.client.createTag({ body: { name: "by name" } });
    const patch = (ifMatch: string) => server.client.patchTag({ path: { id: "by name" }, body: { description: "new" }, ifMatch });
    expect((await patch(etag ?? "")).data.version).toBe(2);
    await expect(patch(etag ?? "")).rejects.toMatchObject({ status: 412 });
    const { data: key } = await server.client.createKey({ body: { type: "SERVER", description: "first" } });
    const { etag: ofKey } = await server.client.getKey({ path: { id: key.id } });
    const patchKey = (ifMatch: string) => server.client.patchKey({ path: { id: key.key ?? "" }, body: { description: "second" }, ifMatch });
    expect((await patchKey(ofKey ?? "")).data.version).toBe(2);
    await expect(patchKey(ofKey ?? "")).rejects.toMatchObject({ status: 412 });
  });

  test("is not compared with other entities that the request writes, in any order", () => {
    const precondition = { ifMatch: '"2"', type: "gate", id: "checkout", met: false };
    requireMatch(precondition, { type: "layer", id: "checkout" }, { version: 7 });
    requireMatch(precondition, { type: "gate", id: "search" }, { version: 7 });
    expect(precondition.met).toBe(false);
    expect(() => requireMatch(precondition, { type: "gate", id: "checkout" }, { version: 7 })).toThrow("is at version 7");
    requireMatch(precondition, { type: "gate", id: "checkout" }, { version: 2 });
    expect(precondition.met).toBe(true);
  });
});

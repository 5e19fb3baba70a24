import { routes } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { requireMatch } from "../../src/store/requests/precondition.ts";
import { makeNamed } from "../support/fixtures.ts";
import { accessOf, declaring, fill, neededQuery, operations } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_SESSION } from "../support/template-database.ts";

// If-Match refers to the entity that the path addresses. contract.test.ts covers the 412 of each operation.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

/** The path that reads the entity which `path` addresses. */
function readingPath(path: string): string {
  const reads = entitySlices.flatMap(({ operations: { read, readOverrides } }) => [read, ...(readOverrides ? [readOverrides] : [])]);
  const paths = reads.map((read): string => routes[read].path).filter((read) => path === read || path.startsWith(`${read}/`));
  return paths.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

describe("If-Match", () => {
  test.each(declaring("412"))("$operationId: matches the ETag of the entity that its path addresses", async (operation) => {
    const { fixture, send } = await prepare(server, operation);
    // An administrator of the instance reads every project.
    const reader = accessOf(operation) === "administrator" ? { key: null, headers: asPerson(TEST_SESSION) } : {};
    const path = readingPath(operation.path);
    const needed = neededQuery(operations.find((one) => one.method === "GET" && one.path === path) ?? { parameters: [] });
    const { headers } = await server.send("GET", `${fill(path, fixture?.parameters ?? {})}?${needed}`, reader);
    const answer = await send({ "If-Match": headers.get("ETag") ?? "" });
    expect(answer.body).not.toHaveProperty("errors");
    expect(answer.status).toBeLessThan(300);
  });

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

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdRow } from "../support/faults.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { needs } from "../support/needs.ts";
import { accessOf, declaring, fill, neededQuery, operations, readsFirst, writes } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Provokes the statuses that operations have in common; each operation's own tests provoke the others. At the end of a complete run,
// support/statuses-reporter.ts fails on each declared status that no test provoked.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

const absent = (path: string) => fill(path, {});
describe("every operation", () => {
  test.each(operations.filter((one) => accessOf(one) !== "none"))(
    "$operationId: 401 without a key and without a session",
    async ({ method, path, statuses }) => {
      expect(statuses).toContain("401");
      expect(await server.send(method, absent(path), { key: null })).toMatchObject({
        status: 401,
        body: { status: 401, code: "unauthorized", message: "An active API key is required in the header SERVICE-API-KEY." },
      });
    },
  );

  test.each(operations.filter(({ takesAnyQuery }) => !takesAnyQuery))(
    "$operationId: 400 names an unknown query parameter",
    async ({ method, path, statuses, example, parameters }) => {
      expect(statuses).toContain("400");
      const query = [neededQuery({ parameters }), "surprise=1"].filter(Boolean).join("&");
      expect(await server.send(method, `${absent(path)}?${query}`, { body: example })).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ property: "surprise", errorMessage: "is unknown" }] },
      });
    },
  );

  test.each(operations.filter(({ takesBody }) => takesBody))(
    "$operationId: 400 for a body of another type",
    async ({ method, path, takesList }) => {
      const [body, expected] = takesList ? ["a text", "array or object"] : [[], "object"];
      expect(await server.send(method, absent(path), { body })).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ property: "body", errorMessage: `must be ${expected}` }] },
      });
    },
  );

  test.each(operations.filter(({ needsBody }) => needsBody))(
    "$operationId: 400 for a missing or empty body, together with the other violations",
    async ({ method, path }) => {
      const headers = { "Content-Type": "application/json" };
      for (const options of [{}, { headers }, { headers, rawBody: "" }]) {
        expect(await server.send(method, `${absent(path)}?surprise=1`, options)).toMatchObject({
          status: 400,
          body: {
            code: "invalid_request",
            errors: [
              { property: "surprise", errorMessage: "is unknown" },
              { property: "body", errorMessage: "is required" },
            ],
          },
        });
      }
    },
  );

  test.each(operations.filter(({ takesBody }) => takesBody))("$operationId: has an example of its request body", ({ example }) => {
    expect(example).toBeDefined();
  });

  test.each(declaring("415"))("$operationId: 415 for a body that is not JSON", async ({ method, path }) => {
    const answer = await server.send(method, absent(path), { rawBody: "{}", headers: { "Content-Type": "text/plain" } });
    expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });

  test.each(declaring("413"))("$operationId: 413 for a body over $maxBytes bytes", async ({ method, path, maxBytes }) => {
    const answer = await server.send(method, absent(path), { rawBody: `"${"x".repeat(maxBytes - 1)}"` });
    const message = `The body is larger than ${maxBytes / 1024 / 1024} MiB.`;
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large", message } });
  });

  test.each(declaring("413"))("$operationId: 413 for a body of more than $maxValues values", async ({ method, path, maxValues }) => {
    const answer = await server.send(method, absent(path), { rawBody: `[${"1,".repeat(maxValues - 1)}1]` });
    const message = `The body has more than ${maxValues.toLocaleString("en")} values.`;
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large", message } });
  });

  test.each(operations.filter(({ method, takesBody }) => method !== "GET" && !takesBody))(
    "$operationId: ignores a body of any type and size",
    async (operation) => {
      const { url, headers } = await prepare(server, operation);
      const rawBody = "x".repeat(2 * 1024 * 1024);
      const answer = await server.send(operation.method, url, { rawBody, headers: { ...headers, "Content-Type": "text/plain" } });
      expect(answer.status).toBe(200);
    },
  );

  test.each(declaring("404").filter(({ readsByPost, path }) => !readsByPost && path.includes("{")))(
    "$operationId: 404 names the missing entity",
    async ({ method, path, example, parameters }) => {
      // Every project has environments and settings under its own id. Only versions of them can be missing.
      const message = expect.stringMatching(/ (absent|absent::absent|environment set default|settings default) does not exist\.$/);
      const answer = await server.send(method, `${fill(path, { version: "2147483647" })}?${neededQuery({ parameters })}`, {
        body: example,
      });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found", message } });
    },
  );

  test.each(operations)("$operationId: succeeds with the contract's own example", async (operation) => {
    const { send } = await prepare(server, operation);
    const answer = await send();
    expect(answer.body).not.toHaveProperty("errors");
    expect(String(answer.status)).toBe(operation.statuses.find((status) => status.startsWith("2")));
  });

  // The rows of a batch have the operations that it contains.
  test.each(writes.filter(({ permission }) => permission !== "contained"))(
    "$operationId: has a row in the change log under its operationId",
    async (operation) => {
      const { send } = await prepare(server, operation);
      const logged = () => server.database.prisma.change.count({ where: { operationID: operation.operationId } });
      const before = await logged();
      expect((await send()).status).toBeLessThan(300);
      expect(await logged()).toBeGreaterThan(before);
    },
  );

  test.each(declaring("304"))("$operationId: 304 if the caller has the current version", async ({ path, parameters }) => {
    const fixture = await makeFixture(server, path);
    const url = `${fill(path, fixture?.parameters ?? {})}?${neededQuery({ parameters })}`;
    const { headers } = await server.send("GET", url);
    const etag = headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"\d+(-\w+)?"$/);
    expect((await server.send("GET", url, { headers: { "If-None-Match": etag } })).status).toBe(304);
    expect((await server.send("GET", url, { headers: { "If-None-Match": `W/${etag}` } })).status).toBe(304);
    expect((await server.send("GET", url, { headers: { "If-None-Match": '"x"' } })).status).toBeLessThan(300);
  });

  test.each(declaring("412"))(
    "$operationId: 412 if If-Match names another version, and nothing changes",
    async ({ method, path, example }) => {
      const fixture = await makeFixture(server, path, undefined, method);
      const before = await changes();
      const answer = await server.send(method, fill(path, fixture?.parameters ?? {}), { body: example, headers: { "If-Match": '"0"' } });
      expect(answer).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
      expect(await changes()).toEqual(before);
    },
  );

  test.each(operations.filter(({ takesBody, statuses }) => takesBody && !statuses.includes("412")))(
    "$operationId: ignores an If-Match that it does not declare",
    async ({ method, path, example }) => {
      const answer = await server.send(method, path, { body: example, headers: { "If-Match": '"0"' } });
      expect(answer.status).not.toBe(412);
      expect(answer.status).toBeLessThan(500);
    },
  );

  test.each(declaring("201").filter(({ statuses }) => statuses.includes("409") && !statuses.includes("404")))(
    "$operationId: 409 if the id is taken",
    async ({ method, path, example }) => {
      await server.send(method, path, { body: example });
      expect(await server.send(method, path, { body: example })).toMatchObject({ status: 409, body: { code: "conflict" } });
    },
  );

  test.each(writes.filter(readsFirst))(
    "$operationId: 409 if another write commits between its read and its write",
    needs.postgres,
    async ({ method, path, parameters, example }) => {
      const fixture = await makeFixture(server, path, undefined, method);
      if (!fixture) throw new Error("There is nothing at this path for another write to change.");
      const held = await holdRow(server.database, fixture);
      const answer = server.send(method, `${fill(path, fixture.parameters)}?${neededQuery({ parameters })}`, { body: example });
      await held.waiting();
      await held.release();
      expect(await answer).toMatchObject({
        status: 409,
        body: { code: "conflict", message: expect.stringContaining("changed by another request") },
      });
    },
  );

  async function changes() {
    return server.database.prisma.change.count();
  }
});

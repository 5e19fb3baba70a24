import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, checkAll } from "../support/checks.ts";
import { rowsWithoutEvents } from "../support/faults.ts";
import { makeNamed } from "../support/fixtures.ts";
import { batchable, fill, forKeys, neededQuery, needsPerson, operations, type SweptOperation, sampled } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_SESSION } from "../support/template-database.ts";

// Sends the same request alone and in a batch, for the operations that a batch can contain.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

type Given = { path?: Record<string, string>; query?: object; body?: unknown; ifMatch?: string };

/** Sends a batch with the access with which `server.send` sends the request alone. */
function inBatch(operationId: string, given: Given, dryRun = false) {
  const isPersons = operations.some((one) => one.operationId === operationId && needsPerson(one));
  return server.send("POST", `/console/v1/batch${dryRun ? "?dryRun=true" : ""}`, {
    body: { requests: [{ operationId, ...given }] },
    ...(isPersons && { key: null, headers: asPerson(TEST_SESSION) }),
  });
}

/** The path parameters that `fill` writes into a path. */
function pathParameters(path: string, given: Record<string, string> = {}): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return Object.fromEntries(names.map((name) => [name, given[name] ?? (name === "version" ? "1" : "absent")]));
}

/** The error of a request alone, as a batch answers it. */
function inRequest(error: { errors?: { property: string }[] }): object {
  const errors = error.errors?.map((one) => ({ ...one, property: `requests[0].${one.property}` }));
  return { ...error, ...(errors && { errors }), index: 0 };
}

/** Replaces random values: ids, secrets and hints of new entities. */
function withoutRandom(text: string): string {
  return text
    .replaceAll(/(secret|client|console)-[\w….*-]+/g, "SECRET")
    .replaceAll(/"(id|baseID|ruleID|entityID|hint|token)":"[^"]*"/g, '"$1":"ID"')
    .replaceAll(/\b[\w-]{20,36}\b/g, "RANDOM");
}

test("A batch can contain every operation that needs a permission, but those that answer lines or files, that read by POST, that analyse or that say why not", () => {
  const ids = batchable.map(({ operationId }) => operationId);
  expect(ids).toEqual(
    operations
      .filter((one) => forKeys.includes(one) || needsPerson(one))
      .filter(
        ({ answersJSON, answersLines, readsByPost, analyses, unbatched }) =>
          answersJSON && !answersLines && !readsByPost && !analyses && !unbatched,
      )
      .map(({ operationId }) => operationId),
  );
  expect(ids.length).toBeGreaterThan(190);
});

type Subject = { operation: SweptOperation; prepared: Awaited<ReturnType<typeof prepare>> };

/** Each leaves the entity of the operation as it is. */
const CHECKS: Check<Subject>[] = [
  {
    title: "its example",
    applies: () => true,
    async run({ operation: { operationId, method, path, isWrite, parameters }, prepared: { fixture, url, body } }) {
      const before = await rowsWithoutEvents(server.database);
      const alone = await server.send(method, `${url}${isWrite ? `${url.includes("?") ? "&" : "?"}dryRun=true` : ""}`, { body });
      const query = Object.fromEntries(new URLSearchParams(neededQuery({ parameters })));
      const batched = await inBatch(operationId, { path: pathParameters(path, fixture?.parameters), query, body }, true);
      expect([batched.status, batched.body.data?.[0].status]).toEqual([200, alone.status]);
      // Reviews concern the batch as a whole.
      const ofItem = JSON.stringify(alone.body).replace(',"requirements":[]', "");
      expect(withoutRandom(JSON.stringify(batched.body.data[0].body))).toBe(withoutRandom(ofItem));
      if (isWrite) expect(withoutRandom(JSON.stringify(batched.body.changes))).toBe(withoutRandom(JSON.stringify(alone.body.changes)));
      expect(await rowsWithoutEvents(server.database)).toEqual(before);
    },
  },
  {
    title: "an entity that does not exist",
    applies: () => true,
    async run({ operation: { operationId, method, path, example, isWrite } }) {
      const absent = await server.send(method, `${fill(path, {})}${isWrite ? "?dryRun=true" : ""}`, { body: example });
      expect(absent.status).toBeLessThan(500);
      if (absent.status < 400) return;
      expect((await inBatch(operationId, { path: pathParameters(path), body: example }, true)).body).toEqual(inRequest(absent.body));
    },
  },
  {
    title: "an unknown query parameter",
    applies: ({ takesAnyQuery }) => !takesAnyQuery,
    async run({ operation: { operationId, method, path, example } }) {
      const alone = await server.send(method, `${fill(path, {})}?surprise=1`, { body: example });
      const given = { path: pathParameters(path), body: example, query: { surprise: 1 } };
      expect((await inBatch(operationId, given)).body).toEqual(inRequest(alone.body));
    },
  },
  {
    title: "bodies that break its schema",
    applies: ({ takesBody }) => takesBody,
    async run({ operation: { operationId, method, path, example } }) {
      for (const body of ["a text", [], null, 1, { surprise: 1 }, { ...example, surprise: { a: [1] } }, broken(example)]) {
        const alone = await server.send(method, fill(path, {}), { body });
        const batched = await inBatch(operationId, { path: pathParameters(path), body });
        expect(alone.status).toBeGreaterThanOrEqual(400);
        expect([batched.status, batched.body]).toEqual([alone.status, inRequest(alone.body)]);
      }
    },
  },
  {
    title: "412 for an If-Match that names another version",
    applies: ({ takesIfMatch }) => takesIfMatch,
    async run({ operation: { operationId, method, path, example }, prepared: { fixture } }) {
      const alone = await server.send(method, fill(path, fixture?.parameters ?? {}), { body: example, headers: { "If-Match": '"0"' } });
      const batched = await inBatch(operationId, { path: pathParameters(path, fixture?.parameters), body: example, ifMatch: '"0"' });
      expect([alone.status, batched.status, batched.body]).toEqual([412, 412, inRequest(alone.body)]);
    },
  },
];

describe("every operation of a batch is answered as if it were sent alone", () => {
  test.each(sampled(batchable))("$operationId", async (operation) => {
    await checkAll({ operation, prepared: await prepare(server, operation) }, CHECKS);
  });
});

test.each(operations.filter(({ isBatchable }) => !isBatchable))("$operationId: cannot be in a batch", async ({ operationId }) => {
  const { status, body } = await inBatch(operationId, {});
  const errorMessage = expect.stringMatching(/^is no operation that a batch can contain/);
  expect([status, body.errors, body.index]).toEqual([400, [{ property: "requests[0].operationId", errorMessage }], 0]);
});

/** The example with a value of another type for each of its properties. */
function broken(example: object | undefined): object {
  return Object.fromEntries(Object.keys(example ?? {}).map((name) => [name, { wrong: true }]));
}

import { expect } from "vitest";
import type { Check } from "../../support/checks.ts";
import { onPostgres } from "../../support/database.ts";
import { fingerprintRows, overtake, withoutTables } from "../../support/faults.ts";
import { fill, readsFirst, type SweptOperation } from "../../support/operations.ts";
import { prepare } from "../../support/prepare.ts";
import { declares412, type Subject } from "./subject.ts";

// Responses of operations on an existing entity. Only the last checks change it.

const MEBIBYTES_2 = 2 * 1024 * 1024;
const takesNoBody = ({ method, takesBody }: SweptOperation) => method !== "GET" && !takesBody;
/** Whether an operation can succeed. One that is declared only to refuse requests cannot. */
const succeeds = ({ statuses }: SweptOperation) => statuses.some((status) => status.startsWith("2"));
const fillPath = ({ prepared: { fixture } }: Subject, path: string) => fill(path, fixture?.parameters ?? {});

/** Requests that fail or change no data. */
export const unchanging: Check<Subject>[] = [
  {
    title: "304 if the caller has the current version",
    applies: ({ statuses }) => statuses.includes("304"),
    async run({ server, prepared: { url } }) {
      const { headers } = await server.send("GET", url);
      const etag = headers.get("ETag") ?? "";
      expect(etag).toMatch(/^"\d+(-\w+)?"$/);
      expect((await server.send("GET", url, { headers: { "If-None-Match": etag } })).status).toBe(304);
      expect((await server.send("GET", url, { headers: { "If-None-Match": `W/${etag}` } })).status).toBe(304);
      expect((await server.send("GET", url, { headers: { "If-None-Match": '"x"' } })).status).toBeLessThan(300);
    },
  },
  {
    title: "412 if If-Match names another version, and nothing changes",
    applies: declares412,
    async run(subject) {
      const { server, operation } = subject;
      const { method, path, example } = operation;
      const changes = () => server.database.prisma.change.count();
      const before = await changes();
      const answer = await server.send(method, fillPath(subject, path), { body: example, headers: { "If-Match": '"0"' } });
      expect(answer).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
      expect(await changes()).toEqual(before);
    },
  },
  {
    title: "409 if another write commits between its read and its write",
    // The embedded database has one connection, on which writes follow each other.
    applies: (operation) => onPostgres && operation.isWrite && readsFirst(operation),
    async run({ server, prepared: { fixture, send } }) {
      if (!fixture) throw new Error("The path addresses no entity that another write could change.");
      expect(await overtake(server.database, fixture, () => send())).toMatchObject({
        status: 409,
        body: { code: "conflict", message: expect.stringContaining("changed by another request") },
      });
    },
  },
  {
    title: "500 hides the cause from the caller and logs it under the same request id",
    applies: () => true,
    async run({ server, prepared: { send } }) {
      const answer = await withoutTables(server.database, () => send());
      expect([answer.status, answer.body]).toEqual([
        500,
        {
          status: 500,
          code: "internal",
          message: "The request failed. The server's log has the cause under the X-Request-Id of this response.",
        },
      ]);
      const requestID = answer.headers.get("X-Request-Id") ?? "none";
      expect(server.logged.findLast((line) => line.includes(requestID) && line.includes("does not exist"))).toBeDefined();
    },
  },
  {
    title: "ignores a body of any type and size",
    applies: takesNoBody,
    async run({ server, operation, prepared }) {
      const options = { rawBody: "x".repeat(MEBIBYTES_2), headers: { "Content-Type": "text/plain" } };
      // An operation without dry runs may use up its entity.
      const { url, headers } = operation.isWrite ? prepared : await prepare(server, operation);
      const asked = operation.isWrite ? `${url}${url.includes("?") ? "&" : "?"}dryRun=true` : url;
      const answer = await server.send(operation.method, asked, { ...options, headers: { ...headers, ...options.headers } });
      expect(answer.status).toBe(200);
    },
  },
  {
    title: "a page after the last one is empty, and one that has no pages has no second page",
    applies: ({ method, parameters }) => method === "GET" && parameters.some(({ name }) => name === "page"),
    async run({ prepared: { send }, operation }) {
      const first = await send({}, "?limit=1&page=1");
      expect(first.status).toBe(200);
      const after = await send({}, "?limit=1&page=1000000");
      if (after.status === 400) {
        expect(after.body.errors).toEqual([{ property: "page", errorMessage: "must be <= 1" }]);
        expect(operation.operationId).not.toMatch(/^list/);
        return;
      }
      expect([after.status, listedItems(after.body.data)]).toEqual([200, []]);
      expect(listedItems(first.body.data).length).toBeLessThanOrEqual(1);
    },
  },
];

/** The items of a list. They may be a property of the answered object, or of its only item, as rules are. */
function listedItems(data: unknown): unknown[] {
  if (!Array.isArray(data)) return Object.values(data as object).find(Array.isArray) ?? [];
  return data.flatMap((one) => (Array.isArray(one?.rules) && Object.keys(one).length === 1 ? one.rules : [one]));
}

/** The request that succeeds, and its repetition. */
export const successes: Check<Subject>[] = [
  {
    title: "2xx for the contract's own example, with the ETag of the entity that its path addresses in If-Match",
    applies: succeeds,
    async run({ operation, headers, succeed }) {
      if (declares412(operation)) expect(headers["If-Match"]).toMatch(/^"/);
      const { answer } = await succeed();
      expect(answer.body).not.toHaveProperty("errors");
      expect(String(answer.status)).toBe(operation.statuses.find((status) => status.startsWith("2")));
    },
  },
  {
    title: "409 if the id is taken",
    applies: ({ statuses }) => statuses.includes("201") && statuses.includes("409") && !statuses.includes("404"),
    async run({ server, prepared: { send }, succeed }) {
      await succeed();
      const before = await fingerprintRows(server.database);
      expect(await send()).toMatchObject({ status: 409, body: { code: "conflict" } });
      expect(await fingerprintRows(server.database)).toEqual(before);
    },
  },
  {
    title: "ignores an If-Match that it does not declare",
    applies: ({ takesBody, statuses }) => takesBody && !statuses.includes("412"),
    async run({ server, operation }) {
      const answer = await server.send(operation.method, operation.path, { body: operation.example, headers: { "If-Match": '"0"' } });
      expect(answer.status).not.toBe(412);
      expect(answer.status).toBeLessThan(500);
    },
  },
];

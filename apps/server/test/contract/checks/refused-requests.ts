import { expect } from "vitest";
import type { Check } from "../../support/checks.ts";
import { fill, neededQuery, requiredAccess, type SweptOperation } from "../../support/operations.ts";
import type { TestServer } from "../../support/server.ts";

// Requests that every operation refuses, whether or not the entity in its path exists.

const absent = ({ path }: SweptOperation) => fill(path, {});
const declares = (status: string) => (operation: SweptOperation) => operation.statuses.includes(status);
const takesBody = (operation: SweptOperation) => operation.takesBody;

export const refusedRequests: Check<{ server: TestServer; operation: SweptOperation }>[] = [
  {
    title: "401 without a key and without a session",
    applies: (operation) => requiredAccess(operation) !== "none",
    async run({ server, operation }) {
      expect(operation.statuses).toContain("401");
      expect(await server.send(operation.method, absent(operation), { key: null })).toMatchObject({
        status: 401,
        body: { status: 401, code: "unauthorized", message: "An active API key is required in the header SERVICE-API-KEY." },
      });
    },
  },
  {
    title: "400 names an unknown query parameter",
    applies: ({ takesAnyQuery }) => !takesAnyQuery,
    async run({ server, operation }) {
      expect(operation.statuses).toContain("400");
      const query = [neededQuery(operation), "surprise=1"].filter(Boolean).join("&");
      expect(await server.send(operation.method, `${absent(operation)}?${query}`, { body: operation.example })).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ property: "surprise", errorMessage: "is unknown" }] },
      });
    },
  },
  {
    title: "400 for a body of another type",
    applies: takesBody,
    async run({ server, operation }) {
      const [body, expected] = operation.takesList ? ["a text", "array or object"] : [[], "object"];
      expect(await server.send(operation.method, absent(operation), { body })).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ property: "body", errorMessage: `must be ${expected}` }] },
      });
    },
  },
  {
    title: "400 for a missing or empty body, together with the other violations",
    applies: ({ needsBody }) => needsBody,
    async run({ server, operation }) {
      const headers = { "Content-Type": "application/json" };
      for (const options of [{}, { headers }, { headers, rawBody: "" }]) {
        expect(await server.send(operation.method, `${absent(operation)}?surprise=1`, options)).toMatchObject({
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
  },
  {
    title: "has an example of its request body",
    applies: takesBody,
    async run({ operation }) {
      expect(operation.example).toBeDefined();
    },
  },
  {
    title: "415 for a body that is not JSON",
    applies: declares("415"),
    async run({ server, operation }) {
      const answer = await server.send(operation.method, absent(operation), { rawBody: "{}", headers: { "Content-Type": "text/plain" } });
      expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    },
  },
  {
    title: "413 for a body with more bytes than allowed",
    applies: declares("413"),
    async run({ server, operation }) {
      const { method, maxBytes } = operation;
      const answer = await server.send(method, absent(operation), { rawBody: `"${"x".repeat(maxBytes - 1)}"` });
      const message = `The body is larger than ${maxBytes / 1024 / 1024} MiB.`;
      expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large", message } });
    },
  },
  {
    title: "413 for a body with more values than allowed",
    applies: declares("413"),
    async run({ server, operation }) {
      const { method, maxValues } = operation;
      const answer = await server.send(method, absent(operation), { rawBody: `[${"1,".repeat(maxValues - 1)}1]` });
      const message = `The body has more than ${maxValues.toLocaleString("en")} values.`;
      expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large", message } });
    },
  },
  {
    title: "404 names the missing entity",
    // A batch declares the statuses of the requests in it.
    applies: ({ readsByPost, path, permission, statuses }) =>
      statuses.includes("404") && permission !== "contained" && !readsByPost && path.includes("{"),
    async run({ server, operation }) {
      // Every project has environments and settings under its own id. Only versions of them can be missing.
      const message = expect.stringMatching(/ (absent|absent::absent|environment set default|settings default) does not exist\.$/);
      const url = `${fill(operation.path, { version: "2147483647" })}?${neededQuery(operation)}`;
      expect(await server.send(operation.method, url, { body: operation.example })).toMatchObject({
        status: 404,
        body: { code: "not_found", message },
      });
    },
  },
  {
    title: "declares 500 and 503",
    applies: () => true,
    async run({ operation }) {
      expect(operation.statuses).toEqual(expect.arrayContaining(["500", "503"]));
    },
  },
];

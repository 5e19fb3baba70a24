import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "../support/faults.ts";
import { makeNamed } from "../support/fixtures.ts";
import { changesNoEntity, writes } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

/** A response without the secrets that are shown only once, at places such as `data.key` and `data[].token`. */
function blanked(text: string, places: string[]): string {
  const answer = JSON.parse(text);
  for (const place of places) {
    const steps = place.split(".").map((step) => step.replace("[]", ""));
    const last = steps.pop() as string;
    for (const holder of [steps.reduce((value, step) => value[step], answer)].flat()) {
      expect(holder[last]).toEqual(expect.any(String));
      holder[last] = null;
    }
  }
  return JSON.stringify(answer);
}

describe("every write", () => {
  test.each(writes)(
    "$operationId: runs once for the same Idempotency-Key and repeats the response byte for byte, except secrets shown once",
    async (operation) => {
      const { send } = await prepare(server, operation);
      const headers = { "Idempotency-Key": `repeat ${operation.operationId}`.replaceAll(" ", "-") };
      const first = await send(headers);
      expect([first.status < 300, first.headers.get("Idempotency-Replayed")]).toEqual([true, null]);
      const before = await rowsOf(server.database);
      const second = await send(headers);
      expect(await rowsOf(server.database)).toEqual(before);
      const kept = operation.shownOnce === undefined ? first.text : blanked(first.text, operation.shownOnce);
      expect([second.status, second.text, second.headers.get("ETag")]).toEqual([first.status, kept, first.headers.get("ETag")]);
      expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    },
  );

  test.each(writes)("$operationId: 422 if the Idempotency-Key belongs to another request", async (operation) => {
    const headers = { "Idempotency-Key": `reused-${operation.operationId}` };
    const { send } = await prepare(server, operation);
    expect((await send(headers)).status).toBeLessThan(300);
    const before = await rowsOf(server.database);
    expect(await send(headers, "?dryRun=false")).toMatchObject({
      status: 422,
      body: {
        code: "idempotency_key_reused",
        message: "The Idempotency-Key was used for another request. Send a new key with a new request.",
      },
    });
    expect(await rowsOf(server.database)).toEqual(before);
  });

  test.each(writes)("$operationId: a dry run returns the changes and stores nothing", async (operation) => {
    const { send } = await prepare(server, operation);
    const before = await rowsOf(server.database);
    const dry = await send({ "Idempotency-Key": `dry-${operation.operationId}` }, "?dryRun=true");
    expect(await rowsOf(server.database)).toEqual(before);
    expect([dry.status < 300, dry.headers.get("ETag"), Array.isArray(dry.body.changes)]).toEqual([true, null, true]);
    const wet = await send({ "Idempotency-Key": `dry-${operation.operationId}` });
    expect([wet.status, wet.body.message, wet.body.changes]).toEqual([dry.status, dry.body.message, undefined]);
    expect(dry.body.changes.length > 0).toBe(!changesNoEntity(operation));
  });
});

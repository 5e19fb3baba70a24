import type { Permission } from "@gatehouse/contract";
import { expect } from "vitest";
import { visibleTypes } from "../../../src/console/stores.ts";
import type { Check } from "../../support/checks.ts";
import { fingerprintRows, rowsWithoutSchedules, withRefusedChanges } from "../../support/faults.ts";
import { changesNoEntity, type SweptOperation } from "../../support/operations.ts";
import type { Subject } from "./subject.ts";

// Checks that apply to all writes.

const isWrite = (operation: SweptOperation) => operation.isWrite;

/** Writes that are not stored. */
export const unstored: Check<Subject>[] = [
  {
    title: "500 if the change log cannot be written, and the whole write is rolled back",
    applies: isWrite,
    async run({ server, prepared: { send } }) {
      const before = await fingerprintRows(server.database);
      expect((await withRefusedChanges(server.database, () => send())).status).toBe(500);
      expect(await fingerprintRows(server.database)).toEqual(before);
    },
  },
  {
    title: "a dry run returns the changes, stores nothing, and does not use up the Idempotency-Key",
    applies: isWrite,
    async run({ server, operation, prepared: { send }, headers, succeed }) {
      const before = await fingerprintRows(server.database);
      const dry = await send({ "Idempotency-Key": headers["Idempotency-Key"] ?? "" }, "?dryRun=true");
      expect(await fingerprintRows(server.database)).toEqual(before);
      expect([dry.status < 300, dry.headers.get("ETag"), Array.isArray(dry.body.changes)]).toEqual([true, null, true]);
      const { answer: wet } = await succeed();
      expect([wet.status, wet.body.message, wet.body.changes]).toEqual([dry.status, dry.body.message, undefined]);
      expect(dry.body.changes.length > 0).toBe(!changesNoEntity(operation));
    },
  },
];

/** A time for a change, soon after the present. */
const SOON_MS = 60_000;

/** Writes that are scheduled. */
export const scheduled: Check<Subject>[] = [
  {
    title: "202 with applyAt stores a scheduled change and nothing else, once for the same Idempotency-Key",
    applies: ({ takesApplyAt }) => takesApplyAt,
    async run({ server, operation, prepared: { send } }) {
      const { operationId } = operation;
      const { send: read, client, database } = server;
      const before = await rowsWithoutSchedules(database);
      const headers = { "Idempotency-Key": `schedule-${operationId}` };
      const query = `?applyAt=${server.clock.now + SOON_MS}`;
      const answer = await send(headers, query);
      expect([answer.status, answer.body.message]).toEqual([202, "Change scheduled successfully."]);
      const { data } = answer.body;
      // The application of a configuration is stored as the batch of its requests.
      const stored = operation.permission === "contained" ? "batch" : operationId;
      expect(data).toMatchObject({
        operationId: stored,
        status: "SCHEDULED",
        applyAt: server.clock.now + SOON_MS,
        error: null,
        version: 1,
      });
      expect(data.entities.length > 0).toBe(!changesNoEntity(operation));
      // Everyone who can read the change can also read the entities that it writes.
      expect(data.entities.filter(({ entityType }: { entityType: string }) => !READABLE.has(entityType))).toEqual([]);
      const again = await send(headers, query);
      expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([202, answer.text, "true"]);
      expect(await rowsWithoutSchedules(database)).toEqual(before);
      expect((await read("GET", `/console/v1/scheduled_changes/${data.id}`)).body.data).toEqual(data);
      // So that no later change comes after it.
      await client.cancelScheduledChange({ path: { id: data.id } });
    },
  },
];

/** The types of entities that the permission `read` shows. */
const READABLE = visibleTypes({
  permissions: new Set<Permission>(["read"]),
  grantedBy: "",
  limits: null,
  publishing: null,
  administersInstance: false,
});

/** Writes that are stored, and their repetition. */
export const stored: Check<Subject>[] = [
  {
    title: "has a row in the change log under its operationId",
    // The rows of a batch have the operations that it contains.
    applies: (operation) => operation.isWrite && operation.permission !== "contained",
    async run({ succeed }) {
      expect((await succeed()).changes).toBeGreaterThan(0);
    },
  },
  {
    title: "runs once for the same Idempotency-Key and repeats the response byte for byte, except secrets shown once",
    applies: isWrite,
    async run({ server, operation, prepared: { send }, headers, succeed }) {
      const { answer: first } = await succeed();
      expect([first.status < 300, first.headers.get("Idempotency-Replayed")]).toEqual([true, null]);
      const before = await fingerprintRows(server.database);
      const second = await send(headers);
      expect(await fingerprintRows(server.database)).toEqual(before);
      const kept = operation.shownOnce === undefined ? first.text : blanked(first.text, operation.shownOnce);
      expect([second.status, second.text, second.headers.get("ETag")]).toEqual([first.status, kept, first.headers.get("ETag")]);
      expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    },
  },
  {
    title: "422 if the Idempotency-Key belongs to another request",
    applies: isWrite,
    async run({ server, prepared: { send }, headers, succeed }) {
      await succeed();
      const before = await fingerprintRows(server.database);
      expect(await send(headers, "?dryRun=false")).toMatchObject({
        status: 422,
        body: {
          code: "idempotency_key_reused",
          message: "The Idempotency-Key was used for another request. Send a new key with a new request.",
        },
      });
      expect(await fingerprintRows(server.database)).toEqual(before);
    },
  },
];

/** A response without the secrets that are shown only once, at places such as `data.key` and `data[].token`. */
function blanked(text: string, places: string[]): string {
  const answer = JSON.parse(text);
  for (const place of places) {
    const steps = place.split(".").map((step) => step.replace("[]", ""));
    const last = steps.pop() as string;
    for (const holder of [steps.reduce((value, step) => value[step], answer)].flat()) {
      // Null if no secret was created or sent.
      expect(holder[last]).toBeOneOf([expect.any(String), null]);
      holder[last] = null;
    }
  }
  return JSON.stringify(answer);
}

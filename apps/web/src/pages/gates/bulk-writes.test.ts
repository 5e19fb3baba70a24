import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { type BulkAction, bulkRequests, type ReadGate, unaffected } from "./bulk-writes.ts";

const gate = (id: string, given: Partial<Schema<"Gate">> = {}): ReadGate => ({
  gate: { id, isEnabled: true, status: "In Progress", tags: [], ...given } as Schema<"Gate">,
  etag: `"${id}"`,
});
const GATES = [
  gate("on"),
  gate("off", { isEnabled: false, status: "Disabled" }),
  gate("old", { status: "Archived" }),
  gate("tagged", { tags: ["a"] }),
];

test.each<[BulkAction, string[]]>([
  [{ id: "enable" }, ["off"]],
  [{ id: "disable" }, ["on", "tagged"]],
  [{ id: "archive" }, ["on", "off", "tagged"]],
  [{ id: "tag", tag: "a" }, ["on", "off", "old"]],
  [{ id: "untag", tag: "a" }, ["tagged"]],
])("%o changes only the gates that differ", (action, ids) => {
  expect(bulkRequests(GATES, action).map(({ path }) => (path as { id: string }).id)).toEqual(ids);
  expect(GATES.filter((one) => unaffected(one.gate, action) === undefined).map((one) => one.gate.id)).toEqual(ids);
});

test("a tag is added to the others, on the version that was read", () => {
  expect(bulkRequests([gate("x", { tags: ["a"] })], { id: "tag", tag: "b" })).toEqual([
    { operationId: "patchGate", path: { id: "x" }, body: { tags: ["a", "b"] }, ifMatch: '"x"' },
  ]);
});

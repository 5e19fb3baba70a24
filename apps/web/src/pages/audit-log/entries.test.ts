import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { byDay, deletedIn, type Entry, entryOfChange, entryOfLog, newestIn, undoableOf } from "./entries.ts";

const change: Schema<"Change"> = {
  ...{ seq: 7, time: 5, actorID: "p", actorName: "Ada", operationID: "patchGate", entityType: "gate", entityID: "g", entityName: "Gate" },
  ...{ version: 3, isDeletion: false, reason: null, fields: [], fieldCount: 0 },
};
const log: Schema<"AuditLog"> = {
  ...{ id: "7", name: "Gate", changeLog: "", actionType: "", date: "", time: "", timestamp: 5, updatedBy: "Ada", updatedByUserID: "p" },
  ...{ modifierEmail: null, changes: {}, tags: [], targetAppIDs: [], operationID: "patchGate", entityType: "gate", entityID: "g" },
  ...{ version: 3, reason: null, address: "203.0.113.7", userAgent: "node", requestID: "r" },
};

test.each([
  [{ operationID: "patchGate" }, "changed the"],
  [{ operationID: "createGate", version: 1 }, "created the"],
  [{ operationID: "deleteGate", isDeletion: true }, "deleted the"],
  [{ operationID: "archiveGate" }, "archived the"],
  [{ operationID: "restoreGateVersion" }, "restored a version of the"],
  [{ operationID: "deleteGateRule" }, "changed the"],
  [{ operationID: "disableExperimentGroups" }, "changed the"],
  [{ operationID: "startExperiment" }, "started the"],
])("a change %j reads %s", (given, deed) => {
  expect(entryOfChange({ ...change, ...given }).deed).toBe(deed);
});

test.each([
  ["patchGate", 1, "requested the"],
  ["approveReview", 2, "approved the"],
  ["commitReview", 3, "published the"],
  ["updateReview", 2, "changed the"],
])("a review that %s brings to version %i reads: %s review", (operationID, version, deed) => {
  const given = { operationID, version, entityType: "review", entityID: "r" };
  expect([entryOfChange({ ...change, ...given }).deed, entryOfLog({ ...log, ...given }).deed]).toEqual([deed, deed]);
});

test("an entry of the audit log that is a change names its entity and its fields", () => {
  expect(entryOfLog({ ...log, changes: { isEnabled: { old: true, new: false } } })).toMatchObject({
    ...{ seq: 7, deed: "changed the", entity: { type: "gate", id: "g", name: "Gate" } },
    fields: [{ field: "isEnabled", before: true, after: false, isCut: false }],
    origin: { address: "203.0.113.7" },
  });
});

test("a change in the audit log that removes the entity's ID is a deletion", () => {
  const changes = { id: { old: "g", new: null }, name: { old: "a", new: null } };
  expect(entryOfLog({ ...log, operationID: "deleteGate", changes })).toMatchObject({ deed: "deleted the", isDeletion: true });
});

test("a restoration in the audit log that only removes optional fields is not a deletion", () => {
  const changes = { team: { old: "t", new: null }, hypothesis: { old: "a", new: null } };
  const restored = entryOfLog({ ...log, operationID: "restoreGateVersion", changes });
  expect(restored).toMatchObject({ deed: "restored a version of the", isDeletion: false });
});

test.each([
  ["disableGate", null, ["production"], "turned off the", "in production"],
  ["enableGate", ["production", "staging"], null, "turned on the", "in production and staging"],
  ["patchGate", null, ["production"], "changed the", ""],
])("%s with the environments where it is off from %j to %j reads: %s gate %s", (operationID, before, after, deed, place) => {
  const expected = { deed, place, isDeletion: false };
  const fields = [{ field: "disabledEnvironments", before, after, isCut: false }];
  expect(entryOfChange({ ...change, operationID, fields, fieldCount: 1 })).toMatchObject(expected);
  expect(entryOfLog({ ...log, operationID, changes: { disabledEnvironments: { old: before, new: after } } })).toMatchObject(expected);
});

test("a gate that is turned off everywhere is disabled", () => {
  const fields = [{ field: "isEnabled", before: true, after: false, isCut: false }];
  expect(entryOfChange({ ...change, operationID: "disableGate", fields })).toMatchObject({ deed: "disabled the", place: "" });
});

test.each([
  [
    "permission",
    "manage_roles",
    "patchRole",
    null,
    "was refused “change role”, which needs the permission “Create, change, and delete roles”",
  ],
  ["permission", "patchRole", "patchRole", null, "was refused “change role”"],
  ["console_key_use", "key_1", "useKey", null, "used a console key from a new address"],
  ["ingestion_run", "2qJ8", "startIngestionBackfill", null, "started the backfill 2qJ8"],
  ["ingestion_run", "2qJ8", "addIngestionRuns", null, "added the ingestion run 2qJ8"],
  ["export", "listAuditLogs", "listAuditLogs", null, "exported the response of “list audit logs”"],
  ["guardrail_alert", "a1", "lookAtGuardrails", null, "raised a guardrail alert"],
  ["guardrail_alert", "a1", "resolveGateAlert", null, "resolved a guardrail alert"],
  ["guardrail_alert", "a1", "resolveExperimentAlert", null, "resolved a guardrail alert"],
  ["session", "s1", "createSession", "Signed in.", "signed in"],
  ["session", "eve@example.com", "createSession", "Failed to sign in.", "failed to sign in as eve@example.com"],
  ["session", "s1", "endSession", "Ended.", "ended a session"],
])("an entry that does not change an entity reads as a sentence: %s %s", (entityType, entityID, operationID, reason, deed) => {
  expect(entryOfLog({ ...log, version: null, entityType, entityID, operationID, reason })).toMatchObject({ deed, entity: null });
});

test.each([
  ["raise", "raised the alert few"],
  ["warn", "raised a warning of the alert few"],
  ["no-data", "found no data for the alert few"],
  ["resolve", "resolved the alert few"],
])("an alert's event reads as a sentence: %s", (eventType, deed) => {
  const changes = { eventType: { old: null, new: eventType } };
  const entry = entryOfLog({ ...log, version: null, entityType: "topline_alert", entityID: "few", operationID: "lookAtAlerts", changes });
  expect(entry).toMatchObject({ deed, entity: null });
});

test("the newest change of an entity can be undone, unless it is a deletion", () => {
  const entries = [entryOfChange({ ...change, seq: 9, version: 4 }), entryOfChange(change)];
  expect([...newestIn(entries).values()]).toEqual([9]);
  expect(undoableOf(entries[0] as Entry, true)).toMatchObject({ entityID: "g", deed: "changed", lastVersion: 4, isLatest: true });
  expect(undoableOf(entryOfChange({ ...change, isDeletion: true }), true)).toBeUndefined();
});

test("entries of one day stand together, in their order", () => {
  const at = (seq: number, time: number) => entryOfChange({ ...change, seq, time });
  const days = byDay([at(3, 20), at(2, 15), at(1, 5)], (time) => (time >= 10 ? "today" : "yesterday"));
  expect(days.map(({ day, entries }) => [day, entries.map(({ seq }) => seq)])).toEqual([
    ["today", [3, 2]],
    ["yesterday", [1]],
  ]);
});

test("an entity is deleted if nothing restored it after its deletion", () => {
  const at = (seq: number, entityID: string, isDeletion: boolean) => entryOfChange({ ...change, seq, entityID, isDeletion });
  const entries = [at(4, "restored", false), at(3, "deleted", true), at(2, "restored", true), at(1, "deleted", false)];
  expect([...deletedIn(entries)]).toEqual([JSON.stringify(["gate", "deleted"])]);
});

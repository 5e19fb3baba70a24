import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { CHANGED_SINCE, undoing } from "../../entity/undoing.ts";
import { isToDecide, namelessEntity, ownLastChange, type Recent, recentChanges } from "./recent-changes.ts";

let seq = 100;
const change = (given: Partial<Schema<"Change">>): Schema<"Change"> => ({
  seq: seq--,
  time: 1_000,
  actorID: "ann",
  actorName: "Ann",
  operationID: "patchGate",
  entityType: "gate",
  entityID: "sale",
  entityName: "Sale",
  version: 2,
  isDeletion: false,
  reason: null,
  fields: [],
  fieldCount: 0,
  ...given,
});

test("one's own changes are left out", () => {
  expect(recentChanges([change({ actorID: "me" }), change({})], "me").map(({ actor }) => actor)).toEqual(["Ann"]);
});

test("changes of one entity by one person in a row are one, with the latest time", () => {
  const changes = [
    ...[change({ time: 3, version: 4 }), change({ time: 2, version: 3 })],
    ...[change({ time: 1, entityID: "other" }), change({ time: 0 })],
  ];
  expect(recentChanges(changes, "me").map(({ entityID, count, time }) => [entityID, count, time])).toEqual([
    ["sale", 2, 3],
    ["other", 1, 1],
    ["sale", 1, 0],
  ]);
});

test("an entity that was created and then changed counts as created, and a deleted one as deleted", () => {
  expect(recentChanges([change({ version: 2 }), change({ version: 1 })], "me")).toMatchObject([{ deed: "created", count: 2 }]);
  expect(recentChanges([change({ version: 2, isDeletion: true }), change({ version: 1 })], "me")).toMatchObject([{ deed: "deleted" }]);
});

test("changes are undone by the version before them, unless anyone changed the entity since", () => {
  const undone = (changes: Schema<"Change">[]) => recentChanges(changes, "me").map(undoing);
  const [fifth, fourth, third] = [change({ version: 5 }), change({ version: 4 }), change({ version: 3 })];
  expect(undone([fifth, fourth, change({ entityID: "other" }), third])).toEqual([
    ...[{ version: 3 }, { version: 1 }],
    { refusal: CHANGED_SINCE },
  ]);
  expect(undone([fifth, change({ version: 4, actorID: "me" }), third])).toEqual([{ version: 4 }, { refusal: CHANGED_SINCE }]);
  expect(undone([change({ version: 5, actorID: "me" }), fourth])).toEqual([{ refusal: CHANGED_SINCE }]);
  expect(undone([change({ version: 5, isDeletion: true })])).toEqual([{ version: 4 }]);
  expect(undone([change({ version: 1 })])).toEqual([undefined]);
});

test("changes of a segment's IDs alone are not offered for an undo, unless its rules or texts changed with them", () => {
  const field = (name: string) => ({ field: name, before: 1, after: 2, isCut: false });
  const ofSegment = (version: number, ...fields: string[]) => change({ entityType: "segment", version, fields: fields.map(field) });
  const isOfIDs = (...changes: Schema<"Change">[]) => recentChanges(changes, "me").map((one) => one.isOfIDs);
  expect(isOfIDs(ofSegment(4, "count"), ofSegment(3))).toEqual([true]);
  expect(isOfIDs(ofSegment(4, "count"), ofSegment(3, "description"))).toEqual([false]);
  expect(isOfIDs(ofSegment(4, "count", "description"))).toEqual([false]);
  expect(isOfIDs(ofSegment(2, "count"), ofSegment(1))).toEqual([false]);
  expect(isOfIDs(change({ fields: [field("count")] }))).toEqual([false]);
});

test("a person's own last change is undone alone, unless someone changed the entity since", () => {
  const mine = change({ actorID: "me", version: 3 });
  const undone = (changes: Schema<"Change">[]) => ownLastChange(changes, "me") && undoing(ownLastChange(changes, "me") as Recent);
  expect(undone([change({ entityID: "other" }), mine, change({ actorID: "me", version: 2 })])).toEqual({ version: 2 });
  expect(undone([change({ version: 4 }), mine])).toEqual({ refusal: CHANGED_SINCE });
  // Comments can't be restored, so the change before one is offered.
  expect(undone([change({ actorID: "me", entityType: "comment" }), mine])).toEqual({ version: 2 });
  expect(undone([change({ actorID: "me", version: 1 }), mine])).toBeUndefined();
  expect(undone([change({})])).toBeUndefined();
});

test("actors and entities without a name in the change get the known name of their ID, never the ID itself", () => {
  const nameless = [change({ actorName: null, entityType: "member", entityName: null })];
  expect(recentChanges(nameless, "me", { ann: "ann@example.com", sale: "Bob" })).toMatchObject([{ actor: "ann@example.com", name: "Bob" }]);
  expect(recentChanges(nameless, "me")).toMatchObject([{ name: undefined }]);
  expect(["comment", "ingestion_schedule", "settings"].map(namelessEntity)).toEqual(["a comment", "an ingestion schedule", "the settings"]);
});

const DAY_MS = 86_400_000;
test.each([
  ["experiment_stopped", null, 14, true],
  ["active", 0, 14, true],
  ["active", 1, 14, false],
  ["assignment_stopped", 0, 14, true],
  ["active", null, 14, false],
  ["decision_made", 0, 14, false],
  ["setup", null, 14, false],
] as const)(
  "whether an experiment that is %s, started at %s and planned for %d days is to be decided",
  (status, startTime, duration, due) => {
    expect(isToDecide({ status, startTime, duration }, 14 * DAY_MS)).toBe(due);
  },
);

import { expect, test } from "vitest";
import { type ChangeEntry, toChange } from "./change.ts";

const entry: ChangeEntry = {
  ...{ seq: 3, time: 5, actorID: "p", actorName: "Ada", actorEmail: "ada@example.com", operationID: "patchGate" },
  ...{
    entityType: "gate",
    entityID: "g",
    version: 2,
    isDeletion: false,
    reason: null,
    requestID: "r",
    fields: [],
    entity: { name: "Gate" },
  },
};
const field = (name: string, before: unknown, after: unknown) => ({ field: name, before, after });

test("names the actor, but never by an email address", () => {
  const { actorEmail: _, entity: __, ...shown } = entry;
  expect(toChange(entry)).toEqual({ ...shown, entityName: "Gate", fieldCount: 0 });
  expect(toChange({ ...entry, actorName: "ada@example.com" }).actorName).toBe(null);
});

test("has the name of the entity only if that is a text", () => {
  expect([{}, { name: 7 }].map((entity) => toChange({ ...entry, entity }).entityName)).toEqual([null, null]);
});

test("leaves out who created an entity, and when", () => {
  const fields = ["creatorID", "creatorName", "creatorEmail", "createdTime", "name"].map((name) => field(name, null, "x"));
  expect(toChange({ ...entry, fields })).toMatchObject({ fields: [{ field: "name" }], fieldCount: 1 });
});

test("has at most 20 fields and counts them all", () => {
  const fields = Array.from({ length: 21 }, (_, index) => field(`f${index}`, 0, 1));
  const { fields: shown, fieldCount } = toChange({ ...entry, fields });
  expect([shown.length, shown.at(-1)?.field, fieldCount]).toEqual([20, "f19", 21]);
});

test("leaves out a value whose JSON has more than 1,000 characters", () => {
  const fields = [field("most", "x".repeat(998), 1), field("before", "x".repeat(999), 1), field("after", 1, ["x".repeat(999)])];
  expect(toChange({ ...entry, fields }).fields).toEqual([
    { field: "most", before: "x".repeat(998), after: 1, isCut: false },
    { field: "before", before: null, after: 1, isCut: true },
    { field: "after", before: 1, after: null, isCut: true },
  ]);
});

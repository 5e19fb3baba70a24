import { describe, expect, test } from "vitest";
import type { Effect } from "../console/scheduled-changes/scheduled-change.ts";
import { requireSameEffect, toEffect } from "./effect.ts";

const [THEN, NOW] = [1_000, 2_000];
const ids = ["3hXq0TzRkWcY8uVbN1mEsa", "5gQm1TzXkWcY8uVbN0hLsa", "2fRw7PzQkJcB4uDbN6mEsx"] as const;

const gate = (version: number | null, entityID = "g") => ({ entityType: "gate", entityID, version });
const change = (after: unknown, before: unknown = null, entityID = "g") => ({
  entityType: "gate",
  entityID,
  fields: [{ field: "rules", before, after }],
});
const effect = (entities: Effect["entities"], changes: Effect["changes"]): Effect => ({ entities, changes });
const compare = (expected: Effect, actual: Effect) => () =>
  requireSameEffect({ effect: expected, now: THEN }, { effect: actual, now: NOW }, "scheduled");

test("an effect has each entity once, with its version before the first write and its changes from first to last", () => {
  const [first, second, third] = [1, 2, 3].map((version) => ({ version, name: `name ${version}` }));
  if (!first || !second || !third) throw new Error();
  const entries = [
    { type: "gate", id: "g", before: first, after: second },
    { type: "tag", id: "t", before: null, after: first },
    { type: "gate", id: "g", before: second, after: third },
  ];
  expect(toEffect(entries)).toEqual({
    entities: [gate(1), { entityType: "tag", entityID: "t", version: null }],
    changes: [
      { entityType: "gate", entityID: "g", fields: [{ field: "name", before: "name 1", after: "name 3" }] },
      { entityType: "tag", entityID: "t", fields: [{ field: "name", before: null, after: "name 1" }] },
    ],
  });
});

describe("an effect is the same", () => {
  test("if every entity has the expected version", () => {
    expect(compare(effect([gate(1)], [change("a")]), effect([gate(1)], [change("b")]))).not.toThrow();
  });

  test("if an entity moved on, and the same fields change in the same way", () => {
    expect(compare(effect([gate(1)], [change("a")]), effect([gate(2)], [change("a")]))).not.toThrow();
  });

  test("if only ids and times that the request makes differ", () => {
    const made = (id: string, time: number) => change([{ id, time, isSelf: id }]);
    expect(compare(effect([gate(1)], [made(ids[0], THEN)]), effect([gate(2)], [made(ids[1], NOW)]))).not.toThrow();
    const created = (id: string) => effect([gate(null, id)], [change(id, null, id)]);
    expect(compare(created(ids[0]), created(ids[1]))).not.toThrow();
  });
});

describe("an effect is another", () => {
  const refused = (moved: string) => `The change would no longer have the effect that was scheduled: ${moved}.`;

  test("if an entity moved on, and a field had another value before or gets another value", () => {
    for (const after of [change("b"), change("a", "c")]) {
      expect(compare(effect([gate(1)], [change("a")]), effect([gate(4)], [after]))).toThrow(refused("the gate g is at version 4, not 1"));
    }
  });

  test("if an id that was there before is another one", () => {
    const [was, is] = [ids[0], ids[1]].map((id) => change(ids[2], id));
    if (!was || !is) throw new Error();
    expect(compare(effect([gate(1)], [was]), effect([gate(2)], [is]))).toThrow(refused("the gate g is at version 2, not 1"));
  });

  test("if two ids that the request makes are used in each other's place", () => {
    const uses = (first: string, second: string, used: string) => effect([gate(1)], [change([first, second, used])]);
    const moved = { ...uses(ids[0], ids[1], ids[1]), entities: [gate(2)] };
    expect(compare(uses(ids[0], ids[1], ids[0]), moved)).toThrow(refused("the gate g is at version 2, not 1"));
  });

  test("if it writes fewer or more entities, and it names the first three", () => {
    expect(compare(effect([gate(1)], [change("a")]), effect([], []))).toThrow(refused("the gate g would not change"));
    const names = ["a", "b", "c", "d"];
    const many = effect(
      names.map((name) => gate(1, name)),
      names.map((name) => change("a", null, name)),
    );
    const named = "the gate a would also change, the gate b would also change, the gate c would also change, and 1 more entities differ";
    expect(compare(effect([], []), many)).toThrow(refused(named));
  });
});

import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { toText } from "../../targeting/parts.ts";
import { idChanges, removalWords, unseenChange } from "./id-changes.ts";

const version = (count: number, type: Schema<"Segment">["type"] = "id_list") => ({ count, type }) as Schema<"Segment">;

test("the history of a list says how many IDs were added or removed", () => {
  expect(idChanges(version(5), version(10_005)).map(({ parts }) => toText(parts))).toEqual(["IDs: 10,000 more, 10,005 in total"]);
  expect(idChanges(version(5), version(2)).map(({ parts }) => toText(parts))).toEqual(["IDs: 3 fewer, 2 in total"]);
  expect(idChanges(version(5), version(5))).toEqual([]);
});

test("a version of a list with the same number of IDs isn't called unchanged, since other IDs may have replaced them", () => {
  expect([unseenChange(version(5)), unseenChange(version(0, "rule_based"))]).toEqual([
    "The number of IDs didn’t change, but the IDs may have.",
    "Saved without changes.",
  ]);
});

test("a review names the removed ID, and has no change if the ID isn’t in the list", () => {
  const change = (...fields: object[]) => [{ entityType: "segment", entityID: "staff", action: "changed", fields }] as never;
  const words = (changes: never) =>
    removalWords(changes, "staff", "ada").flatMap((entity) => entity.changes.map(({ parts }) => toText(parts)));
  expect(words(change({ field: "count", before: 2, after: 1 }, { field: "version", before: 3, after: 4 }))).toEqual(["ID ada removed"]);
  expect(words(change({ field: "version", before: 3, after: 4 }))).toEqual([]);
});

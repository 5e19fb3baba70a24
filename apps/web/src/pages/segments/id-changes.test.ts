import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { toText } from "../../targeting/parts.ts";
import { idChanges, unseenChange } from "./id-changes.ts";

const version = (count: number, type: Schema<"Segment">["type"] = "id_list") => ({ count, type }) as Schema<"Segment">;

test("the history of a list says how many IDs it had before and after", () => {
  expect(idChanges(version(5), version(10_005)).map(({ parts }) => toText(parts))).toEqual(["Number of IDs: 5 → 10,005"]);
  expect(idChanges(version(5), version(5))).toEqual([]);
});

test("a version of a list with the same number of IDs isn't called unchanged, since other IDs may have replaced them", () => {
  expect([unseenChange(version(5)), unseenChange(version(0, "rule_based"))]).toEqual([
    "The number of IDs didn’t change, but the IDs may have.",
    "Saved without changes.",
  ]);
});

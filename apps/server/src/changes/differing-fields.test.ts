import { expect, test } from "vitest";
import { describeDifferences } from "./differing-fields.ts";

const change = (fields: object[], entityID = "g") => ({ entityType: "gate", entityID, fields: fields as never });
const field = (name: string, before: unknown, after: unknown) => ({ field: name, before, after });
const part = (id: string, name: string) => ({ id, name });

test.each<[string, object[], object[], string]>([
  ["another value before", [field("hour", 1, 3)], [field("hour", 2, 3)], "hour was 1 and is now 2"],
  ["another value after", [field("hour", 1, 3)], [field("hour", 1, 4)], "hour would become 4, not 3"],
  ["a value that is there already", [field("hour", 1, 3)], [], "hour is already 3"],
  ["a value that would be undone", [], [field("hour", 2, 1)], "hour is now 2 and would become 1"],
  [
    "parts that were added, renamed, and removed",
    [field("rules", [part("a", "A"), part("b", "B")], [])],
    [field("rules", [part("c", "C"), part("b", "Beta")], [])],
    'rules[0] was removed: "A"; rules[1].name was "B" and is now "Beta"; "C" was added to rules',
  ],
  [
    "parts in another order",
    [field("rules", [part("a", "A"), part("b", "B")], [])],
    [field("rules", [part("b", "B"), part("a", "A")], [])],
    "rules is in a different order",
  ],
  ["a long value", [field("text", "a".repeat(80), "")], [field("text", null, "")], `text was "${"a".repeat(58)}… and is now null`],
  ["many fields", [1, 2, 3, 4, 5].map((n) => field(`f${n}`, 0, n)), [], "f1 is already 1; f2 is already 2; f3 is already 3; and 2 more"],
])("differences name %s", (_, expected, actual, text) => {
  expect(describeDifferences([change(expected)], [change(actual)])).toBe(text);
});

test("differences of several entities name each entity, and leave out those that are equal", () => {
  const [was, is] = [field("hour", 1, 3), field("hour", 2, 3)];
  expect(
    describeDifferences(
      ["g", "h", "i"].map((id) => change([was], id)),
      [change([is], "g"), change([is], "h"), change([was], "i")],
    ),
  ).toBe("in the gate g, hour was 1 and is now 2; in the gate h, hour was 1 and is now 2");
});

test("ids that the server makes are left out", () => {
  const [one, other] = ["3hXq0TzRkWcY8uVbN1mEsa", "5gQm1TzXkWcY8uVbN0hLsa"];
  expect(describeDifferences([change([field("id", one, null)])], [change([field("id", other, null)])])).toBe("");
});

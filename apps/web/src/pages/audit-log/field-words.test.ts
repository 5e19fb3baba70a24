import { expect, test } from "vitest";
import { valueText } from "./field-words.ts";

const timeText = (time: number) => `time ${time}`;

test.each([
  ["name", null, { text: "Nothing", isNothing: true }],
  ["name", "", { text: "Empty", isNothing: true }],
  ["tags", [], { text: "Empty list", isNothing: true }],
  ["isEnabled", true, { text: "Yes" }],
  ["tags", ["a", "b"], { text: "a, b" }],
  ["passPercentage", 1_763_700_000_000, { text: "1763700000000" }],
  ["createdTime", 1_763_700_000_000, { text: "time 1763700000000" }],
  ["description", "a\nb", { text: "a\nb", isBlock: true }],
  ["rule", { id: 1 }, { text: '{"id":1}' }],
])("the value of %s, %j, reads %j", (field, value, shown) => {
  expect(valueText(field, value, timeText)).toEqual(shown);
});

test("an object too long for a line is a block of JSON", () => {
  const long = { description: "x".repeat(80) };
  expect(valueText("rule", long, timeText)).toEqual({ text: JSON.stringify(long, undefined, 2), isBlock: true });
});

import { expect, test } from "vitest";
import { type Kind, parsed, toText } from "./typed-values.ts";

/** Numbers as JSON has them. */
const PLAIN = { read: (text: string) => (Number.isFinite(Number(text)) ? Number(text) : undefined), write: String };

test.each<[Kind, string, unknown]>([
  ["string", "12", "12"],
  ["number", "12.5", 12.5],
  ["number", "1e999", undefined],
  ["number", '"12"', undefined],
  ["boolean", "true", true],
  ["boolean", "yes", undefined],
  ["object", '{"a": 1}', { a: 1 }],
  ["object", "[1]", undefined],
  ["object", "null", undefined],
  ["array", "[1]", [1]],
  ["array", "{}", undefined],
])("a %s written as %s is %j", (kind, text, value) => {
  expect(parsed(kind, text, PLAIN)).toEqual(value);
});

test("a value becomes the text that stands for it", () => {
  expect(["a", 1, true, { a: [1] }].map((value) => toText(value, PLAIN))).toEqual(["a", "1", "true", '{"a":[1]}']);
});

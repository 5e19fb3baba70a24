import { expect, test } from "vitest";
import { textDiff } from "./text-diff.ts";

const marked = (parts: readonly { text: string; isDifferent: boolean }[]) =>
  parts.map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text)).join("");
const compare = (left: string, right: string) => {
  const diff = textDiff(left, right);
  return [marked(diff.left), marked(diff.right)];
};

test.each([
  ["10% of users pass", "25% of users pass", "[10]% of users pass", "[25]% of users pass"],
  ["same", "same", "same", "same"],
  ["", "new", "", "[new]"],
  ['{"a": 1, "b": 2}', '{"a": 1}', '{"a": 1[, "b": 2]}', '{"a": 1}'],
  ['{"a":1}', '{\n  "a": 2\n}', '{"a":[1]}', '{\n  "a": [2]\n}'],
])("%j and %j differ in the marked words", (left, right, first, second) => {
  expect(compare(left, right)).toEqual([first, second]);
});

test("long texts are compared line by line", () => {
  const lines = Array.from({ length: 1_500 }, (_, index) => `line ${index}\n`);
  const changed = lines.with(700, "another line\n");
  expect(textDiff(lines.join(""), changed.join("")).right.filter(({ isDifferent }) => isDifferent)).toEqual([
    { text: "another line\n", isDifferent: true },
  ]);
});

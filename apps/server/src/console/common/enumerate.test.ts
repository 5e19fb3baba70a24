import { expect, test } from "vitest";
import { enumerate } from "./enumerate.ts";

const letters = [..."abcdefghijkl"];

test.each([
  [["a"], "a"],
  [["a", "b"], "a, b"],
  [letters.slice(0, 10), "a, b, c, d, e, f, g, h, i, j"],
  [letters, "a, b, c, d, e, f, g, h, i, j, and 2 more"],
])("%j are %s", (ids, text) => {
  expect(enumerate(ids)).toBe(text);
});

import { expect, test } from "vitest";
import { plainly } from "./explain.ts";

test.each([
  ["must NOT have fewer than 3 characters", "Use at least 3 characters."],
  ["must NOT have fewer than 1 characters", "Enter a value."],
  ["must be <= 100", "Use 100 or less."],
  ["is required unless group is given", "Enter a value."],
  ["must be the id of a gate", "Must be the id of a gate."],
])("the violation “%s” reads “%s”", (given, text) => {
  expect(plainly(given)).toBe(text);
});

import { expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { checkPathName } from "./path-name.ts";

test.each([
  [".", ["cannot be ., which has a special meaning in URLs"]],
  ["..", ["cannot be .., which has a special meaning in URLs"]],
  ["half \ud83d of a pair", ["must be valid Unicode"]],
  ["...", []],
  [".hidden", []],
  ["a/b?c#d%", []],
  ["🚪", []],
])("the name %j is refused with %j", (name, expected) => {
  const violations: Violation[] = [];
  checkPathName(name, violations);
  expect(violations).toEqual(expected.map((errorMessage) => ({ property: "name", errorMessage })));
});

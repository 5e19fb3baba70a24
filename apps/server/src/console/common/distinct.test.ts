import { expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { checkDistinct } from "./distinct.ts";

test("each repetition is rejected at its place; items without the key are ignored", () => {
  const violations: Violation[] = [];
  checkDistinct([{ id: "a" }, {}, { id: "b" }, {}, { id: "a" }, { id: "A" }, { id: "a" }], "id", "rules", violations);
  const errorMessage = "must be unique in rules, but a is given twice";
  expect(violations).toEqual([
    { property: "rules[4].id", errorMessage },
    { property: "rules[6].id", errorMessage },
  ]);
});

import { expect, test } from "vitest";
import { pointerSteps, toPlace } from "./place.ts";

test.each([
  ["", []],
  ["/body", ["body"]],
  ["/body/a~1b/c~0d", ["body", "a/b", "c~d"]],
  ["/body/~01", ["body", "~1"]],
  ["/body/", ["body", ""]],
])("the pointer %j has the steps %j", (pointer, steps) => {
  expect(pointerSteps(pointer)).toEqual(steps);
});

test.each([
  [[], "", ""],
  [["rules", "0", "conditions", "12", "field"], "", "rules[0].conditions[12].field"],
  [["0", "name"], "", "[0].name"],
  [["sizes", "0"], "defaultValue", "defaultValue.sizes[0]"],
  [["2x"], "value", "value.2x"],
])("the steps %j after %j are the place %j", (steps, start, place) => {
  expect(toPlace(steps, start)).toBe(place);
});

import { expect, test } from "vitest";
import { offIn, switchChanges, switchedIn } from "./environment-switches.ts";
import { toText } from "./parts.ts";

test("a switch leaves other environments as they are, and a switch that is taken back leaves no difference", () => {
  expect(offIn({})).toEqual([]);
  const off = offIn({ disabledEnvironments: ["staging", "production"] });
  expect(switchedIn(off, "staging", true)).toEqual(["production"]);
  expect(switchedIn(off, "development", false)).toEqual(["development", "production", "staging"]);
  expect(switchedIn(switchedIn(off, "production", true), "production", false)).toEqual(off);
});

test.each([
  [["staging"], ["production"], ["Turned off in production", "Turned on in staging"]],
  [["staging", "production"], ["production", "staging"], ["Environments where it’s off: in another order"]],
  [["staging"], ["staging"], []],
  [undefined, ["staging"], ["Turned off in staging"]],
])("from %j to %j reads as %j", (before, after, words) => {
  expect(switchChanges(before, after).map(({ parts }) => toText(parts))).toEqual(words);
});

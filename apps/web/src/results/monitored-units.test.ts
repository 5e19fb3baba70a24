import { expect, test } from "vitest";
import { type UnitsPart, unitsOfHoldout, unitsOfRule } from "./monitored-units.ts";

const joinText = (parts: UnitsPart[]) => parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
const numbersIn = (parts: UnitsPart[]) => parts.flatMap((part) => (typeof part === "string" ? [] : [part.of]));

test("units of a rule are counted by side, with the share of excluded units", () => {
  const counted = unitsOfRule({ pass: 3461, fail: 3407, crossed: 12 });
  expect(joinText(counted)).toBe("3,461 units passed, and 3,407 failed. 12 units saw both sides and are left out: 0.17%.");
  expect(numbersIn(counted)).toEqual(["pass", "fail", "crossed"]);
  expect(joinText(unitsOfRule({ pass: 1, fail: 0, crossed: 1 }))).toBe(
    "1 unit passed, and 0 failed. 1 unit saw both sides and is left out: 50%.",
  );
});

test("units of a holdout are counted as held out or not", () => {
  expect(joinText(unitsOfHoldout({ pass: 5, fail: 1, crossed: 0 }))).toBe("5 units are held out, and 1 is not. No user saw both sides.");
});

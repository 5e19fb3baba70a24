import { expect, test } from "vitest";
import { countryChoices, countryLabel, countryName } from "./choices.ts";

test("countryChoices has every country once, by name", () => {
  const choices = countryChoices();
  expect(choices.length).toBe(249);
  expect(new Set(choices.map(({ label }) => label)).size).toBe(249);
  expect(choices.filter(({ value, label }) => value === label)).toEqual([]);
  expect(choices[0]).toEqual({ value: "AF", label: "Afghanistan" });
});

test("countryName names a code in any case, and leaves other texts as they are", () => {
  expect(["NO", "no", "Norway", ""].map(countryName)).toEqual(["Norway", "Norway", "Norway", ""]);
});

test("countryLabel adds the code to the name, and leaves other texts as they are", () => {
  expect(["NO", "Norway", "XX"].map(countryLabel)).toEqual(["Norway (NO)", "Norway", "XX"]);
});

import { expect, test } from "vitest";
import { newID, randomID } from "./identifier.ts";

test("a new entity has the given ID, or else the one that is derived from its name", () => {
  expect(newID("experiment", { name: "Café menu", id: "menu" })).toBe("menu");
  expect(newID("experiment", { name: "Café menu" })).toBe("cafe_menu");
});

test("a random id has 22 letters and digits", () => {
  expect(randomID()).toMatch(/^[0-9A-Za-z]{22}$/);
});

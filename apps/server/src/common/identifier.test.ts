import { expect, test } from "vitest";
import { identifier, randomID } from "./identifier.ts";

test.each([
  ["New checkout", "new_checkout"],
  ["a \t\n b", "a_b"],
  [" padded ", "_padded_"],
  ["kept-as.it_is", "kept-as.it_is"],
])("the name %j makes the id %s", (name, id) => {
  expect(identifier(name)).toBe(id);
});

test("a random id has 22 letters and digits", () => {
  expect(randomID()).toMatch(/^[0-9A-Za-z]{22}$/);
});

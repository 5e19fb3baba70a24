import { expect, test } from "vitest";
import { isFound } from "./members.ts";
import { personName } from "./names.ts";

const kim = { firstName: "Kim", lastName: "Park", email: "k.p@example.com" };

test("a person without a name is called by their address", () => {
  expect(personName(kim)).toBe("Kim Park");
  expect(personName({ ...kim, firstName: "", lastName: "" })).toBe("k.p@example.com");
});

test("a search finds words of the name and of the address, in any case and order", () => {
  expect(isFound(kim, "park K.P@")).toBe(true);
  expect(isFound(kim, "kim lee")).toBe(false);
});

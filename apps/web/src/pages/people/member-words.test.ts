import { expect, test } from "vitest";
import { personName } from "../../session/names.ts";
import { emailsIn, isFound } from "./member-words.ts";

const kim = { firstName: "Kim", lastName: "Park", email: "k.p@example.com" };

test("a person without a name is called by their address", () => {
  expect(personName(kim)).toBe("Kim Park");
  expect(personName({ ...kim, firstName: "", lastName: "" })).toBe("k.p@example.com");
});

test("a search finds words of the name and of the address, in any case and order", () => {
  expect(isFound(kim, "park K.P@")).toBe(true);
  expect(isFound(kim, "kim lee")).toBe(false);
});

test("pasted addresses may stand on lines, or between commas, and count once", () => {
  expect(emailsIn("Kim@example.com, robin@example.com;\n<sam@example.com>\n\nkim@example.com ")).toEqual([
    "kim@example.com",
    "robin@example.com",
    "sam@example.com",
  ]);
  expect(emailsIn(" \n")).toEqual([]);
});

import { expect, test } from "vitest";
import { emailsIn } from "./member-words.ts";

test("pasted addresses may stand on lines, or between commas, and count once", () => {
  expect(emailsIn("Kim@example.com, robin@example.com;\n<sam@example.com>\n\nkim@example.com ")).toEqual([
    "kim@example.com",
    "robin@example.com",
    "sam@example.com",
  ]);
  expect(emailsIn(" \n")).toEqual([]);
});

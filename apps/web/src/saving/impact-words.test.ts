import { expect, test } from "vitest";
import { impactValue } from "./impact-words.ts";

test("an impact says values as people read them", () => {
  expect([true, false, null].map((value) => impactValue("gate", value))).toEqual(["pass", "fail", "nothing"]);
  expect(impactValue("experiment", { large_photos: true, color: "red", sizes: [1] })).toBe("large_photos: true, color: red, sizes: [1]");
  expect(impactValue("experiment", {})).toBe("default values");
  expect(impactValue("dynamic_config", {})).toBe("an empty value");
});

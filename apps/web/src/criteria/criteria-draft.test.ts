import { expect, test } from "vitest";
import { numberNotation } from "../ui/parse-number.ts";
import { faultsOfCriteria, newCriterion, toShownValue, toValue } from "./criteria-draft.ts";

const GERMAN = numberNotation("de");

test.each([
  ["2,5", "2.5"],
  ["1.234,5", "1234.5"],
  ["2.5", "2.5"],
  ["12345678901234567890", "12345678901234567890"],
  ["2,5 €", "2,5 €"],
  ["viel", "viel"],
])("a German reader’s %s is compared as %s", (text, value) => {
  expect(toValue(">", text, GERMAN)).toBe(value);
});

test("values that are compared as text stay as typed", () => {
  expect((["in", "=", "contains"] as const).map((condition) => toValue(condition, "2,5", GERMAN))).toEqual(["2,5", "2,5", "2,5"]);
  expect(toShownValue("in", "2.5", GERMAN)).toBe("2.5");
});

test("stored numbers are shown in the reader’s notation", () => {
  expect(["2.5", "1234", "viel"].map((value) => toShownValue("<=", value, GERMAN))).toEqual(["2,5", "1234", "viel"]);
});

test("a comparison of numbers refuses other texts", () => {
  const faults = ["2.5", "2,5 €"].map((text) =>
    faultsOfCriteria([{ ...newCriterion(), column: "price", condition: ">", values: [toValue(">", text, GERMAN)] }], "criteria"),
  );
  expect(faults).toEqual([[], [{ property: "criteria[0].values", message: "Enter a number.", level: "error" }]]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberFault, numberText, parseNumber } from "./parse-number.ts";

describe("parseNumber", () => {
  it.each([
    ["2,5", "de", 2.5],
    ["2.5", "de", 2.5],
    ["2,5", "en-US", 2.5],
    ["1.234", "de", 1234],
    ["1.234,5", "de", 1234.5],
    ["1,234", "de", 1.234],
    ["1,234", "en-US", 1234],
    ["1.234", "en-US", 1.234],
    ["1,234.5", "en-US", 1234.5],
    ["1 234,5", "fr", 1234.5],
    ["1\u202f234", "fr", 1234],
    ["150", "de", 150],
    ["-5", "en-US", -5],
    ["−5", "sv", -5],
    ["\u061c-5", "ar", -5],
    [" 7 ", "en-US", 7],
    [".5", "en-US", 0.5],
    ["1e3", "en-US", 1000],
    ["-0", "en-US", 0],
  ])("reads %j in %s as %d", (text, locale, number) => {
    expect(parseNumber(text, locale)).toBe(number);
  });

  it.each(["", "abc", "5%", "1,2,3", "1.2.3", "12,34.5", "--5", "5-", "0x10", "Infinity", "1e999", "1,23,4"])(
    "does not read %j",
    (text) => {
      expect(["en-US", "de"].map((locale) => parseNumber(text, locale))).toEqual([undefined, undefined]);
    },
  );

  it("reads every number as it is shown", () => {
    const locales = fc.constantFrom("en-US", "en-GB", "de", "fr", "sv", "pl", "ar", "hi", "de-CH");
    const numbers = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer()).map((one) => Number(one.toFixed(6)) || 0);
    fc.assert(
      fc.property(numbers, locales, (number, locale) => {
        expect(parseNumber(numberText(number, locale), locale)).toBe(number);
      }),
    );
  });
});

describe("numberFault", () => {
  const percent = { minValue: 0, maxValue: 100, step: 0.01 };
  it.each([
    ["2,5", percent, undefined],
    ["150", percent, "Enter a number from 0 to 100."],
    ["-5", percent, "Enter a number from 0 to 100."],
    ["33,333", percent, "Use at most 2 decimal places."],
    ["ten", percent, "“ten” is not a number."],
    ["", percent, "Enter a number."],
    ["", { isOptional: true }, undefined],
    ["1", { minValue: 2, step: 1 }, "Enter a number of at least 2."],
    ["3", { maxValue: 2 }, "Enter a number of at most 2."],
    ["2,5", { step: 1 }, "Enter a whole number."],
    ["2,55", { step: 0.1 }, "Use at most 1 decimal place."],
    ["2,123", { decimals: 2 }, "Use at most 2 decimal places."],
  ])("of %j within %j", (text, limits, fault) => {
    expect(numberFault(text, limits, "de")).toBe(fault);
  });
});

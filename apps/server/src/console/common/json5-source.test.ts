import { describe, expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { type Json5Source, json5Source } from "./json5-source.ts";

const place = { property: "defaultValue", textProperty: "defaultValueJson5" };
const stored: Json5Source = { value: { a: 1 }, text: "{ a: 1 } // one" };

function pair(given: Parameters<typeof json5Source>[1], before?: Json5Source) {
  const violations: Violation[] = [];
  return { source: json5Source(place, given, violations, before), violations };
}

function made(given: Parameters<typeof json5Source>[1], before?: Json5Source) {
  const { source, violations } = pair(given, before);
  expect(violations).toEqual([]);
  return source;
}

function fault(given: Parameters<typeof json5Source>[1], before?: Json5Source) {
  const { source, violations } = pair(given, before);
  expect(source).toBeUndefined();
  expect(violations).toEqual([{ property: "defaultValueJson5", errorMessage: expect.any(String) }]);
  return violations[0]?.errorMessage;
}

describe("the source without a stored pair", () => {
  test("is undefined if neither value nor text is given", () => {
    expect(made({})).toBeUndefined();
  });
  test("the object makes the text", () => {
    expect(made({ value: { a: [1] } })).toEqual({ value: { a: [1] }, text: '{"a":[1]}' });
  });
  test("the text makes the object and stays as it was written", () => {
    expect(made({ text: "{ a: +1, /* x */ }" })).toEqual({ value: { a: 1 }, text: "{ a: +1, /* x */ }" });
  });
  test("both may be given if they mean the same", () => {
    expect(made({ value: { a: 1 }, text: "{ a: 1. }" })).toEqual({ value: { a: 1 }, text: "{ a: 1. }" });
  });
  test("two that differ are rejected", () => {
    expect(fault({ value: { a: 1 }, text: "{ a: 2 }" })).toBe("must mean the same as defaultValue. Omit one of them");
  });
});

describe("the source with a stored pair", () => {
  test("only the object differs: it is the edit and makes the text", () => {
    expect(made({ value: { a: 2 }, text: stored.text }, stored)).toEqual({ value: { a: 2 }, text: '{"a":2}' });
  });
  test("only the text differs: it is the edit and makes the object", () => {
    expect(made({ value: { a: 1 }, text: "{ a: 2 } // two" }, stored)).toEqual({ value: { a: 2 }, text: "{ a: 2 } // two" });
  });
  test("only the text's comment differs: it is kept", () => {
    expect(made({ value: { a: 1 }, text: "{ a: 1 } // uno" }, stored)).toEqual({ value: { a: 1 }, text: "{ a: 1 } // uno" });
  });
  test("both are sent back: both are kept", () => {
    expect(made(stored, stored)).toEqual(stored);
  });
  test("the object alone keeps the text if it equals the stored one, and replaces it if not", () => {
    expect(made({ value: { a: 1 } }, stored)).toEqual(stored);
    expect(made({ value: { a: 2 } }, stored)).toEqual({ value: { a: 2 }, text: '{"a":2}' });
  });
  test("both are new and equal in meaning: both are used", () => {
    expect(made({ value: { a: 2 }, text: "{a:2}" }, stored)).toEqual({ value: { a: 2 }, text: "{a:2}" });
  });
  test("both differ from the stored ones and from each other: rejected", () => {
    expect(fault({ value: { a: 2 }, text: "{ a: 3 }" }, stored)).toBe("must mean the same as defaultValue. Omit one of them");
  });
});

describe("the source of a text that JSON cannot represent", () => {
  test("not JSON5, with the place", () => {
    expect(fault({ text: "{ a: }" })).toBe("is not JSON5: invalid character '}' at 1:6");
  });
  test.each(["[]", "1", "null", "'a'"])("%s is not an object", (text) => {
    expect(fault({ text })).toBe("must be the JSON5 text of an object");
  });
  test.each(["{ a: [Infinity] }", "{ a: -Infinity }", "{ a: { b: NaN } }"])("%s contains a number that JSON does not have", (text) => {
    expect(fault({ text })).toBe("must not contain Infinity or NaN, which JSON cannot represent");
  });
  test("U+0000 in a string or a name", () => {
    expect(fault({ text: "{ a: '\\0' }" })).toBe("must not contain the character U+0000");
    expect(fault({ text: "{ 'a\\0': 1 }" })).toBe("must not contain the character U+0000");
  });
  test("nested deeper than a body may be", () => {
    expect(fault({ text: `{ a: ${"[".repeat(50_000)}${"]".repeat(50_000)} }` })).toBe("must not be nested more than 90 levels deep");
    expect(made({ text: `{ a: ${"[".repeat(89)}${"]".repeat(89)} }` })).toBeDefined();
  });
  test("-0 becomes 0", () => {
    expect(made({ text: "{ a: -0 }" })?.value).toEqual({ a: 0 });
  });
});

import { describe, expect, test } from "vitest";
import type { Violation } from "../errors.ts";
import { findUnstorable, lookAt } from "./json-text.ts";

const look = (text: string) => lookAt(Buffer.from(text));

describe("lookAt", () => {
  test("counts the deepest nesting, and no bracket within a string", () => {
    expect(look("1").depth).toBe(0);
    expect(look('{"a":[{}],"b":[]}').depth).toBe(3);
    expect(look('{"[[[":"\\"[[["}').depth).toBe(1);
  });

  test("notices every number that parses to infinity", () => {
    for (const text of ["1e309", "[1E+400]", '{"a":-1e999}', "9".repeat(309)]) expect(look(text).hasHugeNumber).toBe(true);
  });

  test("takes ordinary numbers, exponents and text for what they are", () => {
    for (const text of ["1e30", "1e-400", "123456789", '"1e309"', "true", '{"e":100}']) expect(look(text).hasHugeNumber).toBe(false);
  });
});

describe("findUnstorable", () => {
  const find = (value: unknown) => {
    const violations: Violation[] = [];
    findUnstorable(value, "", violations);
    return violations;
  };

  test("names each place by its path", () => {
    expect(find({ a: ["x", "\0", { "b\0": [1, Number.POSITIVE_INFINITY] }] })).toEqual([
      { property: "a[1]", errorMessage: "must not contain the character U+0000" },
      { property: "a[2].b\\u0000", errorMessage: "must not have the character U+0000 in its name" },
      { property: "a[2].b\\u0000[1]", errorMessage: "must not be larger than 1.8e308" },
    ]);
    expect(find("\0")).toEqual([{ property: "body", errorMessage: "must not contain the character U+0000" }]);
  });

  test("of a million the first thousand", () => {
    const violations = find(Array.from({ length: 1_000_000 }, () => "\0"));
    expect(violations).toHaveLength(1000);
    expect(violations.at(-1)?.property).toBe("[999]");
  });
});

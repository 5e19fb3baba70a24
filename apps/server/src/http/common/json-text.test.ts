import { describe, expect, test } from "vitest";
import { findUnstorable, scanJson } from "./json-text.ts";

const scan = (text: string) => scanJson(Buffer.from(text));

describe("scanJson", () => {
  test("counts the deepest nesting, without brackets in strings", () => {
    expect(scan("1").depth).toBe(0);
    expect(scan('{"a":[{}],"b":[]}').depth).toBe(3);
    expect(scan('{"[[[":"\\"[[["}').depth).toBe(1);
  });

  test("counts the root and every item and property at any depth, without commas in strings", () => {
    const values = (text: string) => scan(text).values;
    expect(values("1")).toBe(1);
    expect(values(" [ ] ")).toBe(1);
    expect(values("[1,{},[ ]]")).toBe(4);
    expect(values('{"a":[{}, 2],"b":{"c":"x,[{"}}')).toBe(6);
  });

  test("skips long strings with any content", () => {
    const long = "x,[{1e999".repeat(1_000);
    expect(scan(`["${long}",{"${long}\\"${long}\\\\":"${long}\\n${long}"},[]]`)).toMatchObject({
      depth: 2,
      values: 5,
      hasHugeNumber: false,
    });
    expect(scan(`["${long}`)).toMatchObject({ values: 2 });
  });

  test("stops beyond the maximum number of values", () => {
    expect(scanJson(Buffer.from(`[1,2,3${",[[[[]]]]".repeat(9)}]`), 3)).toMatchObject({ values: 4, depth: 1 });
  });

  test("notices every number that parses to infinity", () => {
    for (const text of ["1e309", "[1E+400]", '{"a":-1e999}', "9".repeat(309)]) expect(scan(text).hasHugeNumber).toBe(true);
  });

  test("does not report ordinary numbers, exponents and texts", () => {
    for (const text of ["1e30", "1e-400", "123456789", '"1e309"', "true", '{"e":100}']) expect(scan(text).hasHugeNumber).toBe(false);
  });
});

describe("findUnstorable", () => {
  test("reports each place by its path", () => {
    expect(findUnstorable({ a: ["x", "\0", { "b\0": [1, Number.POSITIVE_INFINITY] }] })).toEqual([
      { property: "a[1]", errorMessage: "must not contain the character U+0000" },
      { property: "a[2].b\\u0000", errorMessage: "must not have the character U+0000 in its name" },
      { property: "a[2].b\\u0000[1]", errorMessage: "must not be larger than 1.8e308" },
    ]);
    expect(findUnstorable("\0")).toEqual([{ property: "body", errorMessage: "must not contain the character U+0000" }]);
  });
});

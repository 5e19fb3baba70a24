import { describe, expect, test } from "vitest";
import { lookAt } from "./json-text.ts";

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

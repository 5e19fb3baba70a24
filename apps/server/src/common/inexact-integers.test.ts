import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findInexactIntegers } from "./inexact-integers.ts";

const LOST = "9007199254740993";
const places = (text: string) => findInexactIntegers(text).map(({ place }) => place);

describe("findInexactIntegers", () => {
  test("finds each integer that changes, by its place", () => {
    expect(findInexactIntegers(LOST)).toEqual([{ place: "", literal: LOST }]);
    const text = `{"a": [1, {"b": -${LOST}}, ${LOST}], "c d": {"e": {}, "f": ${LOST}}, "g": "${LOST}", "${LOST}": 1}`;
    expect(places(text)).toEqual(["a[1].b", "a[2]", "c d.f"]);
  });

  test("reads JSON5: comments, single quotes, bare names, signs and hexadecimal", () => {
    expect(
      places(`{
        // ${LOST},
        a: +${LOST}, /* ${LOST} */ 'b"': [ -${LOST}, ], c: '${LOST}', d: "\\"${LOST}",
        $e: 0x20000000000001,
      }`),
    ).toEqual(["a", 'b"[0]', "$e"]);
  });

  test("accepts integers that are kept, or written again as they were, and numbers with a fraction or an exponent", () => {
    const kept = ["9007199254740992", "-9007199254740991", "12345678901234567000", "0x20000000000000", "1e300", "0.1234567890123456789"];
    expect(places(JSON.stringify(kept.map(() => 0)).replaceAll("0", () => kept.shift() ?? ""))).toEqual([]);
  });

  test("agrees with BigInt for any integer", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        const isKept = BigInt(Number(integer)) === integer || String(Number(integer)) === String(integer);
        expect(places(`{a: [${integer}]}`)).toEqual(isKept ? [] : ["a[0]"]);
      }),
    );
  });

  test("finds integers that are larger than any number", () => {
    const huge = ["9".repeat(5_000), `-${"9".repeat(400)}`, `0x${"f".repeat(300)}`];
    expect(places(`[${huge}]`)).toEqual(["[0]", "[1]", "[2]"]);
  });

  test("stops after a hundred", () => {
    expect(findInexactIntegers(`[${`${LOST},`.repeat(5_000)}1]`)).toHaveLength(100);
  });
});

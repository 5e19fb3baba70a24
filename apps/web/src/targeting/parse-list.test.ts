import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extendList, parseList } from "./parse-list.ts";

describe("parseList", () => {
  test.each<[string, string[]]>([
    ["", []],
    [" \n\t , ,", []],
    ["NO", ["NO"]],
    ["NO, DK,SE", ["NO", "DK", "SE"]],
    ["NO\nDK\r\nSE\rFI\n", ["NO", "DK", "SE", "FI"]],
    ["a\tb\nc\td", ["a", "b", "c", "d"]],
    ['"Doe, Jane", "Roe, Rick"', ["Doe, Jane", "Roe, Rick"]],
    ['"tab\there"', ["tab\there"]],
    ['"say ""hi"""', ['say "hi"']],
    ["'a', 'b'", ["a", "b"]],
    ["O'Brien\nO'Hara", ["O'Brien", "O'Hara"]],
    ["'tis, 'twas", ["'tis", "'twas"]],
    ['5" pipe, 6" pipe', ['5" pipe', '6" pipe']],
    ['"open\nnext"', ['"open', 'next"']],
    ["two words , three little words", ["two words", "three little words"]],
    ["\uFEFFa\u00A0\n\u200Bb\u200B", ["a", "b"]],
  ])("reads %j", (text, values) => {
    expect(parseList(text)).toEqual({ values, duplicates: 0 });
  });

  test("drops repeated values and counts them; case makes a difference", () => {
    expect(parseList("a\nb\n a\n'b'\nA")).toEqual({ values: ["a", "b", "A"], duplicates: 2 });
  });

  const value = fc.string({ unit: "grapheme", minLength: 1 }).filter((one) => one === one.trim() && !/[\r\n\u200B-\u200D\u2060]/.test(one));
  const separator = fc.constantFrom(",", ", ", "\n", "\r\n", "\t", "\n\n", ",\n");

  test("reads quoted values back with any separator", () => {
    fc.assert(
      fc.property(fc.array(value), separator, (values, between) => {
        const text = values.map((one) => `"${one.replaceAll('"', '""')}"`).join(between);
        const distinct = [...new Set(values)];
        expect(parseList(text)).toEqual({ values: distinct, duplicates: values.length - distinct.length });
      }),
    );
  });

  test("reads any text, and its own result again", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", '"', "'", ",", "\t", "\n", "\r", " ") }), (text) => {
        const { values } = parseList(text);
        const quoted = values.map((one) => `"${one.replaceAll('"', '""')}"`).join("\n");
        expect(parseList(quoted).values).toEqual(values);
      }),
    );
  });
});

test("extendList adds what the list lacks, and counts what it has as duplicates", () => {
  expect(extendList(["a", 1], "a\n1\nb\nb\nc")).toEqual({ values: ["a", 1, "b", "c"], added: 2, duplicates: 3 });
});

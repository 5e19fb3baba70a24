import JSON5 from "json5";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { findMember, jsonValue, parseJson5 } from "./json5-tree.ts";

/** A text with the part in question between ⟦ and ⟧. */
function marked(text: string): { text: string; from: number; to: number } {
  const from = text.indexOf("⟦");
  const to = text.indexOf("⟧") - 1;
  return { text: text.replace("⟦", "").replace("⟧", ""), from, to };
}

const accepted = [
  "{}",
  "[]",
  " \t\n\r\u00a0\ufeff\u2028\u2003{ } ",
  "null",
  "{ a: 1, 'b': 2, \"c\": 3, $d_1: 4, ü: 5, \\u0061b: 6, null: 7, Infinity: 8 }",
  "{ a: 1, }",
  "[1, [2], { b: 3 },]",
  "[0, -0, +1, .5, 5., 5.e2, 1e3, 1E-3, 0x1F, -0xaF, 123456789012345678901]",
  "[Infinity, -Infinity, +Infinity, NaN, -NaN]",
  String.raw`["\u00e9", '\x41', "\'", '\"', "\a", "\0", "\v\b\f\n\r\t", "\\", "\😀"]`,
  '["a\\\nb", "a\\\r\nb", "a\\\rb", "a\\\u2028b"]',
  "['it\"s', \"it's\", '\t']",
  "// one\n{ /* two */ a /* three */ : // four\n 1 /**/ } // five",
  "/* a * b ** c **/ 1",
  '{ a: 1, a: 2, "a": 3 }',
  '{ __proto__: { x: 1 }, constructor: 2, "": 3 }',
  '"\ud83d"',
];

// json5 warns of U+2028 in strings.
beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());

describe("parseJson5", () => {
  it.each(accepted)("reads %j as json5 does", (text) => {
    const { root, fault } = parseJson5(text);
    expect(fault).toBeUndefined();
    expect(root && jsonValue(root)).toEqual(JSON5.parse(text));
  });

  it.each([
    ["⟦⟧", "The text is empty."],
    ["  // only a comment⟦⟧", "A value is missing at the end."],
    ["{ a: 1⟦⟧", 'The "{" of line 1 is not closed.'],
    ["{\n  a: [\n    1,\n⟦⟧", 'The "[" of line 2 is not closed.'],
    ["{ a: 1 ⟦b⟧: 2 }", 'A comma or "}" is missing before this.'],
    ["[1 ⟦2⟧]", 'A comma or "]" is missing before this.'],
    ["{ a: 1 ⟦]⟧", 'A comma or "}" is missing before this.'],
    ["{ a ⟦1⟧ }", 'A ":" is missing after the key "a".'],
    ["{ a: ⟦}⟧", 'A value is missing before "}".'],
    ["{ a: ⟦,⟧ b: 2 }", 'A value is missing before ",".'],
    ["{ a: 1,⟦,⟧ }", "Remove the extra comma."],
    ["{ ⟦,⟧ }", "Remove the extra comma."],
    ["{ a: [1,\n ⟦b⟧: 2 }", 'The "[" of line 1 is not closed.'],
    ["[⟦'b'⟧: 2]", 'The "[" of line 1 is not closed.'],
    ["[⟦,⟧]", "Remove the extra comma."],
    ["{ ⟦:⟧ 1 }", 'A key is missing before ":".'],
    ["{ ⟦1⟧: 1 }", "A key like 1 must be in quotes."],
    ["{ ⟦a-b⟧: 1 }", "A key like a-b must be in quotes."],
    ["{ a: ⟦yes⟧ }", 'Put "yes" in quotes.'],
    ["{ a: ⟦a-b⟧ }", '"a-b" must be in quotes.'],
    ["{ a: ⟦True⟧ }", '"True" is not a value. Is "true" meant?'],
    ["{ a: ⟦undefined⟧ }", '"undefined" is not a value. Is "null" meant?'],
    ["{ a: ⟦1.2.3⟧ }", '"1.2.3" is not a number.'],
    ["{ a: ⟦01⟧ }", '"01" is not a number.'],
    ["{ a: ⟦- 1 }".replace("- 1", "-⟧ 1"), '"-" is not a number.'],
    ['{ a: ⟦"x }⟧', 'This text has no closing quote ".'],
    ["{ a: ⟦'x⟧\n }", "This text has no closing quote '."],
    [String.raw`{ a: ⟦"\u00g0"⟧ }`, String.raw`"\u" begins an escape that is not complete. For a backslash, write "\\".`],
    [String.raw`{ a: ⟦"C:\1"⟧ }`, String.raw`"\1" begins an escape that is not complete. For a backslash, write "\\".`],
    ["{ ⟦/* a: 1 }⟧", 'This comment has no closing "*/".'],
    ["{ ⟦/⟧ a: 1 }", "A key like / must be in quotes."],
    ["{} ⟦}⟧", "Unexpected text after the value. Check for a bracket that’s closed too early."],
    ["⟦]⟧", 'A value is missing before "]".'],
  ])("says what is wrong with %j", (example, message) => {
    const { text, from, to } = marked(example);
    expect(parseJson5(text)).toEqual({ fault: { from, to, message, severity: "error" } });
    expect(() => JSON5.parse(text)).toThrow(SyntaxError);
  });

  it("knows the place of every part", () => {
    const text = "{ a: [1, 'x'], // c\n b: { c: null } }";
    const { root } = parseJson5(text);
    const slices: string[] = [];
    const visit = (node: NonNullable<typeof root>): void => {
      slices.push(text.slice(node.from, node.to));
      if (node.kind === "array") node.items.forEach(visit);
      if (node.kind === "object") {
        for (const { keyRange, from, to, value } of node.members) {
          slices.push(text.slice(keyRange.from, keyRange.to), text.slice(from, to));
          visit(value);
        }
      }
    };
    if (root) visit(root);
    expect(slices).toEqual([
      text,
      "a",
      "a: [1, 'x']",
      "[1, 'x']",
      "1",
      "'x'",
      "b",
      "b: { c: null }",
      "{ c: null }",
      "c",
      "c: null",
      "null",
    ]);
  });

  it("stops at 90 levels, as the server does", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(parseJson5(nested(90)).fault).toBeUndefined();
    expect(parseJson5(nested(91)).fault?.message).toBe("Values can’t be nested more than 90 levels deep.");
    expect(parseJson5("[".repeat(200_000)).fault?.from).toBe(90);
  });

  it("accepts and reads the same as json5 where a text is changed at random", () => {
    const random = seeded(20_251_122);
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"',
      "'",
      "\\",
      "\n",
      " ",
      "/",
      "*",
      "//",
      "/*",
      "*/",
      "0",
      "1",
      ".",
      "-",
      "+",
      "e",
      "x",
      "u",
      "a",
      "true",
      "null",
      "NaN",
      "Infinity",
      "é",
      "\\u0041",
    ];
    let both = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const text = mutated(accepted[Math.floor(random() * accepted.length)] ?? "", pieces, random);
      const expected = outcome(() => JSON5.parse(text));
      const { root } = parseJson5(text);
      const actual = root === undefined ? { failed: true } : { value: jsonValue(root) };
      expect({ text, ...actual }).toEqual({ text, ...expected });
      if (root !== undefined) both += 1;
    }
    expect(both).toBeGreaterThan(400);
  });
});

describe("findMember", () => {
  it("is the last of equal keys, which is the one that counts", () => {
    const { root } = parseJson5("{ a: 1, a: 2 }");
    expect(findMember(root, "a")?.value).toMatchObject({ value: 2 });
    expect(findMember(root, "b")).toBeUndefined();
  });
});

function outcome(parse: () => unknown): { failed: true } | { value: unknown } {
  try {
    return { value: parse() };
  } catch {
    return { failed: true };
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function mutated(text: string, pieces: readonly string[], random: () => number): string {
  let result = text;
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits -= 1) {
    const from = Math.floor(random() * (result.length + 1));
    const removed = random() < 0.5 ? Math.floor(random() * 3) : 0;
    const piece = random() < 0.7 ? (pieces[Math.floor(random() * pieces.length)] ?? "") : "";
    result = result.slice(0, from) + piece + result.slice(from + removed);
  }
  return result;
}

import JSON5 from "json5";
import { describe, expect, it } from "vitest";
import { formatJson5 } from "./json5-format.ts";
import { isComment, tokenize } from "./json5-tokens.ts";

const lines = (...all: string[]): string => all.join("\n");

describe("formatJson5", () => {
  it.each<[name: string, before: string, after: string]>([
    ["keeps a short object on its line", "{a:1,b : [1,2 , 3],}", "{ a: 1, b: [1, 2, 3] }"],
    ["keeps an object on several lines if its first key is on a separate line", "{\na:1,b:2}", lines("{", "  a: 1,", "  b: 2", "}")],
    ["keeps quotes and spelling", `{\n"a": 'x', b: 0x1F, c: +.5}`, lines("{", `  "a": 'x',`, "  b: 0x1F,", "  c: +.5", "}")],
    ["keeps a trailing comma", "{\n a: 1,\n}", lines("{", "  a: 1,", "}")],
    ["takes a list together that fits a line", "{\n a: [\n1,\n2\n]\n}", lines("{", "  a: [1, 2]", "}")],
    ["writes what is empty without space", "{\n a: { }, b: [ ] }", lines("{", "  a: {},", "  b: []", "}")],
    ["keeps one of several blank lines", "{\n\n\na: 1,\n\n\n\nb: 2\n\n}", lines("{", "  a: 1,", "", "  b: 2", "}")],
    ["indents by level", "{\na: {\nb: {\nc: 1}}}", lines("{", "  a: {", "    b: {", "      c: 1", "    }", "  }", "}")],
    ["keeps a comment beside its value", "{ a: 1, // one\nb: 2 // two\n}", lines("{", "  a: 1, // one", "  b: 2 // two", "}")],
    ["keeps a comment above its value", "{\n// one\na: 1 }", lines("{", "  // one", "  a: 1", "}")],
    ["keeps a comment before its value", "{ /* one */ a: 1, /* two */ b: 2 }", lines("{", "  /* one */ a: 1,", "  /* two */ b: 2", "}")],
    ["keeps a comment beside a brace", "{ // one\na: 1 }", lines("{ // one", "  a: 1", "}")],
    ["keeps a comment at the end", "{ a: 1\n// last\n}", lines("{", "  a: 1", "  // last", "}")],
    ["keeps a comment in an empty list", "{ a: [ // none\n] }", lines("{", "  a: [ // none", "  ]", "}")],
    ["keeps a comment between a value and its comma", "[1 /* one */, 2]", lines("[", "  1 /* one */,", "  2", "]")],
    ["puts a comma before a comment", "{ a: 1 // one\n, b: 2 }", lines("{", "  a: 1, // one", "  b: 2", "}")],
    ["keeps comments between key and value", "{ a /* one */ : /* two */ 1 }", lines("{", "  a /* one */: /* two */ 1", "}")],
    ["breaks the line after a comment before a value", "{ a: // one\n1 }", lines("{", "  a: // one", "    1", "}")],
    [
      "keeps comments around the value",
      "// one\n\n/* two */ {a:1} // three\n// four\n",
      lines("// one", "", "/* two */ { a: 1 } // three", "// four", ""),
    ],
    ["keeps the lines of a long comment", "{\n/* one\n     two */\na: 1 }", lines("{", "  /* one", "     two */", "  a: 1", "}")],
    ["leaves the text of strings alone", "{ a: 'x,   y  ', b: '\\\n  z' }", lines("{", "  a: 'x,   y  ',", "  b: '\\", "  z'", "}")],
  ])("%s", (_, before, after) => expect(formatJson5(before)).toBe(after));

  it("breaks a list that does not fit a line", () => {
    const items = Array.from({ length: 12 }, (_, index) => `"item number ${index}"`);
    expect(formatJson5(`{ a: [${items.join(",")}] }`)).toBe(
      lines("{", "  a: [", ...items.map((item, index) => `    ${item}${index < 11 ? "," : ""}`), "  ]", "}"),
    );
  });

  it("refuses a text with a fault", () => expect(formatJson5("{ a: }")).toBeNull());

  it("keeps value and comments of any text, and changes nothing the second time", () => {
    let seed = 4;
    const random = (below: number): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    const pick = (...options: readonly string[]): string => options[random(options.length)] ?? "";
    const space = (): string => pick("", "", " ", "\n", "\n\n\n", " // c\n", "/* d */", "\n// e\n", "\n /* f\n g */ ", "\t");
    const value = (depth: number): string => {
      const inner = () => `${space()}${value(depth + 1)}${space()}`;
      const member = () => `${space()}${pick("a", "'b c'", '"d"', "$e")}${space()}:${inner()}`;
      const list = (item: () => string): string => {
        const items = Array.from({ length: random(4) }, item);
        return items.length === 0 ? space() : `${items.join(",")}${pick("", "", `,${space()}`)}`;
      };
      if (depth > 3 || random(3) === 0) return pick("1", "'x  y'", "true", "null", `"${"long ".repeat(random(20))}"`, "-.5e3", "'\\\nz'");
      return random(2) === 0 ? `{${list(member)}}` : `[${list(inner)}]`;
    };
    const comments = (text: string) =>
      tokenize(text)
        .filter(isComment)
        .map(({ from, to }) => text.slice(from, to));
    for (let round = 0; round < 500; round += 1) {
      const text = `${space()}${value(0)}${space()}`;
      const formatted = formatJson5(text);
      expect({ text, value: JSON5.parse(formatted ?? "") }).toEqual({ text, value: JSON5.parse(text) });
      expect({ text, comments: comments(formatted ?? "") }).toEqual({ text, comments: comments(text) });
      expect({ text, formatted: formatJson5(formatted ?? "") }).toEqual({ text, formatted });
    }
  });
});

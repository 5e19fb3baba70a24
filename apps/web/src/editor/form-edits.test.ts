import JSON5 from "json5";
import { describe, expect, it } from "vitest";
import {
  type Scalar,
  withField,
  withItem,
  withNestedField,
  withNewItem,
  withoutField,
  withoutItem,
  withSwappedItems,
} from "./form-edits.ts";
import { isComment, tokenize } from "./json5-tokens.ts";
import { parseJson5 } from "./json5-tree.ts";

const lines = (...all: string[]): string => all.join("\n");
const comments = (text: string, without: { from: number; to: number }[] = []): string[] =>
  tokenize(text)
    .filter((token) => isComment(token) && !without.some(({ from, to }) => from <= token.from && token.to <= to))
    .map(({ from, to }) => text.slice(from, to));

describe("withField on a key that is there", () => {
  it.each<[before: string, value: Scalar, after: string]>([
    ["{ a: 1 }", 2, "{ a: 2 }"],
    ["{ a: 1, /* b */ } // c", "x", '{ a: "x", /* b */ } // c'],
    ["{ a: 'x' }", 'it\'s "y"\n', "{ a: 'it\\'s \"y\"\\n' }"],
    ['{ a: "x" }', 'it\'s "y"', '{ a: "it\'s \\"y\\"" }'],
    ["{ a: [1, // one\n 2] }", true, "{ a: true }"],
    ["{ a: 1, a: 2 }", null, "{ a: 1, a: null }"],
    ['{ a: "x" }', "\u2028", '{ a: "\\u2028" }'],
  ])("replaces only the value: %j", (before, value, after) => {
    expect(withField(before, "a", value)).toBe(after);
    expect(JSON5.parse(after).a).toEqual(value);
  });

  it("keeps the spelling of an equal value", () => {
    expect(withField("{ a: 0x1F, b: 'y' }", "a", 31)).toBe("{ a: 0x1F, b: 'y' }");
    expect(withField("{ a: 0x1F, b: 'y' }", "b", "y")).toBe("{ a: 0x1F, b: 'y' }");
  });
});

describe("withField on a new key", () => {
  it.each<[name: string, before: string, after: string]>([
    ["into an empty object", "{}", "{ new: 1 }"],
    ["into an object with a comment", lines("{", "  // none", "}"), lines("{", "  // none", "  new: 1", "}")],
    ["on one line", "{ a: 2 }", "{ a: 2, new: 1 }"],
    ["on one line with a trailing comma", "{ a: 2, }", "{ a: 2, new: 1, }"],
    ["in quotes where the others are", '{ "a": 2 }', '{ "a": 2, "new": 1 }'],
    ["on a separate line", lines("{", "    a: 2", "}"), lines("{", "    a: 2,", "    new: 1", "}")],
    ["with a trailing comma where there is one", lines("{", "  a: 2,", "}"), lines("{", "  a: 2,", "  new: 1,", "}")],
    ["after a comment of the last line", lines("{", "  a: 2 // two", "}"), lines("{", "  a: 2, // two", "  new: 1", "}")],
    ["after a comment behind a comma", lines("{", "  a: 2, // two", "}"), lines("{", "  a: 2, // two", "  new: 1,", "}")],
    ["before a comment of the end", lines("{", "  a: 2", "  // end", "}"), lines("{", "  a: 2,", "  new: 1", "  // end", "}")],
    ["after a nested value", lines("{", "  a: {", "    b: 2", "  }", "}"), lines("{", "  a: {", "    b: 2", "  },", "  new: 1", "}")],
    ["beside what begins on the line of the brace", lines("{ a: 2,", "  b: 3 }"), lines("{ a: 2,", "  b: 3,", "  new: 1 }")],
  ])("adds it %s", (_, before, after) => expect(withField(before, "new", 1)).toBe(after));

  it("puts a key in quotes that needs them", () => expect(withField("{}", "a-b", 1)).toBe('{ "a-b": 1 }'));
});

describe("withNestedField", () => {
  it.each<[before: string, after: string]>([
    ["{ a: {}, b: 2 } // c", '{ a: { new: "x" }, b: 2 } // c'],
    [lines("{", "  a: {", "    // none", "  },", "}"), lines("{", "  a: {", "    // none", '    new: "x"', "  },", "}")],
    ["{ a: { b: 1 } }", "{ a: { b: 1 } }"],
    ["{ b: {} }", "{ b: {} }"],
  ])("adds a key to an empty object only: %j", (before, after) => expect(withNestedField(before, "a", "new", "x")).toBe(after));
});

describe("withoutField", () => {
  it.each<[name: string, before: string, after: string]>([
    ["the only one", "{ a: 1 }", "{ }"],
    ["the first of a line", "{ a: 1, b: 2 }", "{ b: 2 }"],
    ["the last of a line", "{ b: 2, a: 1 }", "{ b: 2 }"],
    ["the last with a trailing comma", "{ b: 2, a: 1, }", "{ b: 2, }"],
    ["a line", lines("{", "  b: 2,", "  a: 1,", "  c: 3", "}"), lines("{", "  b: 2,", "  c: 3", "}")],
    ["the last line, with the comma before it", lines("{", "  b: 2,", "  a: 1", "}"), lines("{", "  b: 2", "}")],
    ["several lines", lines("{", "  a: {", "    x: 1", "  },", "  b: 2", "}"), lines("{", "  b: 2", "}")],
    ["a line but not its comment", lines("{", "  a: 1, // one", "  b: 2", "}"), lines("{", "  // one", "  b: 2", "}")],
    ["a line but not the comment above", lines("{", "  // one", "  a: 1,", "  b: 2", "}"), lines("{", "  // one", "  b: 2", "}")],
    ["the last but not a comment after the comma before it", lines("{", "  b: 2, // two", "  a: 1", "}"), lines("{", "  b: 2 // two", "}")],
    ["all of equal keys", "{ a: 1, b: 2, a: 3 }", "{ b: 2 }"],
    ["nothing if it is not there", "{ b: 2 }", "{ b: 2 }"],
  ])("removes %s", (_, before, after) => expect(withoutField(before, "a")).toBe(after));
});

describe("a text that is not an object", () => {
  it.each(["[1]", "{ a: }", "", "'x'"])("%j stays as it is", (text) => {
    expect(withField(text, "a", 1)).toBe(text);
    expect(withoutField(text, "a")).toBe(text);
  });
});

describe("any object", () => {
  it("has the new value, its other values and all comments", () => {
    let seed = 11;
    const random = (below: number): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    const pick = (...options: readonly string[]): string => options[random(options.length)] ?? "";
    const space = (): string => pick("", " ", "\n", "\n  ", " // c\n", "/* d */", "\n\n// e\n ", "\r\n");
    for (let round = 0; round < 1_500; round += 1) {
      const keys = Array.from({ length: random(4) }, () => pick("a", "'b'", '"c d"', "e"));
      const written = keys.map((key) => `${space()}${key}${space()}:${space()}${pick("1", "'x'", "[1, // f\n2]", "{ g: 1 }")}${space()}`);
      const text = `${space()}{${written.join(",")}${written.length > 0 && random(2) === 0 ? `,${space()}` : space()}}${space()}`;
      const key = pick("a", "b", "c d", "z");
      const before = JSON5.parse(text);

      const set = withField(text, key, "new");
      expect({ text, value: JSON5.parse(set) }).toEqual({ text, value: { ...before, [key]: "new" } });
      const removed = withoutField(text, key);
      const { [key]: _, ...others } = before;
      expect({ text, value: JSON5.parse(removed) }).toEqual({ text, value: others });
      // Comments disappear only within a removed value or member.
      const { root } = parseJson5(text);
      const gone = root?.kind === "object" ? root.members.filter((member) => member.key === key) : [];
      const last = gone.at(-1);
      expect({ text, comments: comments(set) }).toEqual({ text, comments: comments(text, last ? [last.value] : []) });
      expect({ text, comments: comments(removed) }).toEqual({ text, comments: comments(text, gone) });
    }
  });
});

describe("the items of a list", () => {
  const list = lines("{", "  tags: [", "    'a', // first", "    0x10,", "  ],", "}");

  it("change one by one, and keep comments and spelling", () => {
    expect(withItem(list, "tags", 0, "b")).toBe(list.replace("'a'", "'b'"));
    expect(withItem(list, "tags", 1, 16)).toBe(list);
    expect(withItem(list, "tags", 2, 1)).toBe(list);
  });

  it("are added at the end, to a list that is there or to a new one", () => {
    expect(withNewItem(list, "tags", "c")).toBe(lines("{", "  tags: [", "    'a', // first", "    0x10,", '    "c",', "  ],", "}"));
    expect(withNewItem("{ tags: [] }", "tags", 1)).toBe("{ tags: [ 1 ] }");
    expect(withNewItem("{ a: 1 }", "tags", 1)).toBe("{ a: 1, tags: [1] }");
    expect(withNewItem("{ tags: 2 }", "tags", 1)).toBe("{ tags: 2 }");
  });

  it("are removed with their line, and keep comments", () => {
    expect(withoutItem(list, "tags", 1)).toBe(lines("{", "  tags: [", "    'a', // first", "  ],", "}"));
    expect(withoutItem("{ tags: [1, /* two */ 2] }", "tags", 1)).toBe("{ tags: [1 /* two */] }");
    expect(withoutItem("{ tags: [1] }", "tags", 0)).toBe("{ tags: [] }");
  });

  it("change places as they are written", () => {
    expect(withSwappedItems(list, "tags", 0, 1)).toBe(lines("{", "  tags: [", "    0x10, // first", "    'a',", "  ],", "}"));
    expect(withSwappedItems(list, "tags", 1, 2)).toBe(list);
  });
});

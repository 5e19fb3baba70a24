import { describe, expect, it } from "vitest";
import { cursorPlace } from "./cursor-place.ts";

/** The place of the bar in the text, with the text typed there. */
function place(marked: string) {
  const cursor = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = cursorPlace(text, cursor);
  if (found === null) return null;
  const typed = text.slice(found.from, found.to);
  return found.kind === "value"
    ? { kind: found.kind, path: found.path, typed }
    : { kind: found.kind, path: found.path, typed, keys: [...found.keys], areQuoted: found.areQuoted, hasColon: found.hasColon };
}

const key = (path: (string | number)[], typed: string, keys: string[] = [], more: object = {}) => ({
  kind: "key",
  path,
  typed,
  keys,
  areQuoted: false,
  hasColon: false,
  ...more,
});
const value = (path: (string | number)[], typed: string) => ({ kind: "value", path, typed });

describe("cursorPlace", () => {
  it.each([
    ["{|}", key([], "")],
    ["{ |", key([], "")],
    ["{ na|", key([], "na")],
    ["{ na|me", key([], "name")],
    ["{ 'na|'", key([], "'na'")],
    ['{ "na|', key([], '"na')],
    ["{ a: 1, |", key([], "", ["a"])],
    ["{ a: 1, | b: 2, c: { d: 3 } }", key([], "", ["a", "b", "c"])],
    ["{ a: 1, b|: 2 }", key([], "b", ["a"], { hasColon: true })],
    ["{ a: 1\n  b|", key([], "b", ["a"])],
    ['{ "a": 1, |', key([], "", ["a"], { areQuoted: true })],
    ['{ "a": 1, b: 2, |', key([], "", ["a", "b"])],
    ["{ a: { b: [{ |", key(["a", "b", 0], "")],
    ["{ a: [1, { c: 2 }, { |", key(["a", 2], "")],
    ["{ a: { b: 1 }, |", key([], "", ["a"])],
  ])("is at a key in %s", (text, expected) => expect(place(text)).toEqual(expected));

  it.each([
    ["|", value([], "")],
    ["tr|", value([], "tr")],
    ["{ a: |", value(["a"], "")],
    ["{ a:| }", value(["a"], "")],
    ["{ 'a b': t|", value(["a b"], "t")],
    ["{ a: 'x|y' }", value(["a"], "'x|y'".replace("|", ""))],
    ['{ a: "x|', value(["a"], '"x')],
    ["{ a: 1|", value(["a"], "1")],
    ["[|", value([0], "")],
    ["{ a: [1, |", value(["a", 1], "")],
    ["{ a: [1, [2, x|", value(["a", 1, 1], "x")],
    ["{ a: /* c */ |", value(["a"], "")],
  ])("is at a value in %s", (text, expected) => expect(place(text)).toEqual(expected));

  it.each(["{ a |", "{ a: 1 |", "{} |", "{} x|", "// x|", "{ a: 1 /* x| */ }", "{ /* x|", "[1 |", "{ a: 1 // c|\n}"])(
    "is nowhere in %s",
    (text) => expect(place(text)).toBeNull(),
  );

  it("never fails on broken texts", () => {
    const text = "}]{,:a'b\n[1{\"\\u00 \\ /* 01 - . ]";
    for (let cursor = 0; cursor <= text.length; cursor += 1) expect(() => cursorPlace(text, cursor)).not.toThrow();
  });
});

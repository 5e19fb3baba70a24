import { describe, expect, it } from "vitest";
import { findMatches, MAX_MATCHES, matchFrom } from "./find-matches.ts";

const places = (text: string, sought: string) => findMatches(text, sought).map(({ from, to }) => [from, to]);

describe("findMatches", () => {
  it("finds every occurrence in any case", () => {
    expect(places("Ab ab AB", "ab")).toEqual([
      [0, 2],
      [3, 5],
      [6, 8],
    ]);
  });

  it("finds characters that mean something in patterns", () => {
    expect(places("a.b a+b [c] \\d", ".")).toEqual([[1, 2]]);
    expect(places("a.b a+b [c] \\d", "[c]")).toEqual([[8, 11]]);
    expect(places("a.b a+b [c] \\d", "\\d")).toEqual([[12, 14]]);
    expect(places("^$*?(){}|-/", "^$*?(){}|-/")).toEqual([[0, 11]]);
  });

  it("finds nothing for an empty text", () => expect(places("abc", "")).toEqual([]));

  it("stops at a thousand", () => expect(findMatches("a".repeat(5_000), "a")).toHaveLength(MAX_MATCHES));
});

describe("matchFrom", () => {
  const matches = [0, 10, 20].map((from) => ({ from, to: from + 2 }));
  const at = (from: number, to = from) => ({ from, to });

  it("is the next match", () => {
    expect(matchFrom(matches, at(5), false)).toBe(1);
    expect(matchFrom(matches, at(10, 12), false)).toBe(2);
  });
  it("goes on at the beginning", () => expect(matchFrom(matches, at(20, 22), false)).toBe(0));
  it("is the one before", () => expect(matchFrom(matches, at(10, 12), true)).toBe(0));
  it("goes on at the end", () => expect(matchFrom(matches, at(0, 2), true)).toBe(2));
  it("is -1 without matches", () => expect(matchFrom([], at(0), false)).toBe(-1));
});

import { describe, expect, it } from "vitest";
import { changeBetween, changed } from "./text-change.ts";

describe("changeBetween", () => {
  it.each([
    ["abc", "abc", null],
    ["abc", "aXc", { from: 1, to: 2, insert: "X" }],
    ["abc", "abcd", { from: 3, to: 3, insert: "d" }],
    ["aa", "aaa", { from: 2, to: 2, insert: "a" }],
    ["aaa", "aa", { from: 2, to: 3, insert: "" }],
    ["", "x", { from: 0, to: 0, insert: "x" }],
  ])("from %j to %j", (before, after, expected) => {
    const change = changeBetween(before, after);
    expect(change).toEqual(expected);
    expect(changed(before, change === null ? [] : [change])).toBe(after);
  });
});

describe("changed", () => {
  it("takes every place from the text as it was", () => {
    const changes = [
      { from: 0, to: 1, insert: "long" },
      { from: 2, to: 3, insert: "" },
      { from: 1, to: 1, insert: "-" },
    ];
    expect(changed("abc", changes)).toBe("long-b");
  });
});

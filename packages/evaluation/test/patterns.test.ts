import { describe, expect, test } from "vitest";
import { matches } from "../src/operators/patterns.ts";

describe("str_matches", () => {
  test("finds the pattern anywhere in the text, with flags and anchors", () => {
    expect(matches("o+")("foobar")).toBe(true);
    expect(matches("^o")("foobar")).toBe(false);
    expect(matches("(?i)FOO")("foobar")).toBe(true);
    expect(matches("^\\w+@example\\.(com|org)$")("alice@example.org")).toBe(true);
  });

  test("knows letters and digits of every script", () => {
    expect(matches("^\\w+$")("Zoë")).toBe(true);
    expect(matches("^[\\w-]+\\d$")("Zoë-٣")).toBe(true);
    expect(matches("^\\W\\D$")("!é")).toBe(true);
  });

  test("looks around and refers back", () => {
    expect(matches("(?<=foo)bar")("foobar")).toBe(true);
    expect(matches("^(?!test)")("production")).toBe(true);
    expect(matches("^(?!.*\\@example\\.com$)")("a@example.com")).toBe(false);
    expect(matches("(?i)(A)\\1(?=b)")("xaAb")).toBe(true);
  });

  test("reads numbers, booleans and lists as text, and nothing in absent values", () => {
    expect([matches("^5$")(5), matches("true")(true), matches('"a"')(["a"]), matches("")(undefined), matches("")(null)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("matches no text if the pattern is invalid", () => {
    for (const pattern of ["[", "(", "(?!a", 5, null, undefined, ["a"]]) expect(matches(pattern)("[(a5")).toBe(false);
  });

  test("matches nothing in texts, and with patterns, of 1000 characters and more", () => {
    expect([matches("a$")("a".repeat(999)), matches("a$")("a".repeat(1000))]).toEqual([true, false]);
    expect([matches("a".repeat(999))("a".repeat(999)), matches("a".repeat(1000))("a".repeat(999))]).toEqual([true, false]);
  });

  test("answers for patterns that would keep a backtracking engine busy for ever", () => {
    const text = `${"a".repeat(998)}!`;
    for (const pattern of ["^(a+)+$", "^(a|aa)+$", "^(a|a)*$", "(.*a){20}$", "^(\\w*)*$", "(?<=(?:a+)+)b"]) {
      expect(matches(pattern)(text)).toBe(false);
    }
  });

  test("answers for patterns that look around and would keep the engine busy for ever", () => {
    const text = "a".repeat(998);
    const patterns = [
      "(?=a)a*a*a*a*a*a*b",
      "(?=x?)a{1,500}a{1,500}a{1,500}b",
      "^(?=(?:a|a\\\\)*)(?:a|\\\\)*b",
      "(?=(a+)+b)",
      "(a*)\\1a*a*b",
    ];
    for (const pattern of [...patterns, `(?!b)${"a?".repeat(30)}${"a".repeat(30)}b`, `(?=a)${"(?:a|a)".repeat(30)}b`]) {
      expect(matches(pattern)(text)).toBe(false);
    }
  });

  test("searches long texts where looking around takes steps in proportion to their length squared", () => {
    const password = matches("^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$");
    expect([password(`${"x".repeat(990)}A1`), password("x".repeat(992)), password("Ab1")]).toEqual([true, false, false]);
    expect(matches("(?=a)a*b*c*d")(`${"x".repeat(40)}abcd`)).toBe(true);
  });

  test("takes a pattern that looks ahead and repeats a group as none", () => {
    expect(matches("^(?=a)(a+)+$")(`${"a".repeat(998)}!`)).toBe(false);
    expect(matches("^(?=a)(a+)+$")("aa")).toBe(false);
    expect(matches("^(?=a)\\)+|a$")("a")).toBe(true);
  });
});

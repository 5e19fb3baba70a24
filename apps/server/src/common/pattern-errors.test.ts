import console from "@gatehouse/contract/console.json" with { type: "json" };
import evaluation from "@gatehouse/contract/evaluation.json" with { type: "json" };
import scim from "@gatehouse/contract/scim.json" with { type: "json" };
import { expect, test } from "vitest";
import { patternError } from "./pattern-errors.ts";

/** Patterns that only responses have. */
const OF_RESPONSES = [
  "^[0-9]{4}-Q[1-4]$",
  '^"writes";r=\\d+;t=\\d+$',
  '^"writes";q=\\d+;w=\\d+$',
  "^/",
  "^(none|percent|milliseconds|seconds|[A-Z]{3})$",
];

function patternsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { pattern } = node as { pattern?: unknown };
  return [...(typeof pattern === "string" ? [pattern] : []), ...Object.values(node).flatMap(patternsIn)];
}

test("every pattern that a request must match is said in words", () => {
  const patterns = [...new Set([console, evaluation, scim].flatMap(patternsIn))].filter((pattern) => !OF_RESPONSES.includes(pattern));
  expect(patterns.length).toBeGreaterThan(20);
  const said = patterns.map((pattern) => patternError(`must match pattern "${pattern}"`));
  expect(said.filter((text) => text.includes("pattern"))).toEqual([]);
});

test("no pattern needs the flag u, which other tools do not set", () => {
  const patterns = [console, evaluation, scim].flatMap(patternsIn);
  expect(patterns.filter((pattern) => /\\[pP]\{|\\u\{/.test(pattern))).toEqual([]);
});

test.each([
  ["^[a-zA-Z0-9_\\-. ]*$", "must have only letters from a to z, digits, spaces, underscores, hyphens, and periods"],
  ["^[a-zA-Z0-9_-]*$", "must have only letters from a to z, digits, underscores, and hyphens"],
  ["\\S", "must not be blank"],
])("the pattern %s: %s", (pattern, text) => {
  expect(patternError(`must match pattern "${pattern}"`)).toBe(text);
});

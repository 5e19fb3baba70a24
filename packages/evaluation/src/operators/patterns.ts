import { RE2JS } from "re2js";
import { text } from "../value.ts";
import type { Test } from "./test.ts";

const LONGEST = 1000;

/**
 * Whether the pattern is found in the text, in time proportional to the text's length. Look-around and back references cannot be had so:
 * patterns with them run on the engine's own expressions, unless they repeat a group, which could take for ever. Patterns and texts of 1000
 * characters and more, and patterns that are none, match nothing.
 */
export function matches(target: unknown): Test {
  const pattern = text(target);
  const found = pattern === undefined || pattern.length >= LONGEST ? undefined : (linear(pattern) ?? backtracking(pattern));
  if (found === undefined) return () => false;
  return (value) => {
    const searched = text(value);
    return searched !== undefined && searched.length < LONGEST && found(searched);
  };
}

type Search = (searched: string) => boolean;

function linear(pattern: string): Search | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return (searched) => compiled.test(searched);
  } catch {
    return undefined;
  }
}

const REPEATED_GROUP = /(?<!\\)\)[*+{]/;

function backtracking(pattern: string): Search | undefined {
  const ignoresCase = pattern.startsWith("(?i)");
  if (REPEATED_GROUP.test(pattern)) return undefined;
  try {
    const compiled = new RegExp(ignoresCase ? pattern.slice(4) : pattern, ignoresCase ? "iu" : "u");
    return (searched) => compiled.test(searched);
  } catch {
    return undefined;
  }
}

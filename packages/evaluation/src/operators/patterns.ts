import { RE2JS } from "re2js";
import { text } from "../value.ts";
import { longestText } from "./backtracking.ts";
import type { Comparison } from "./comparison.ts";

/** Patterns and texts of this length or longer never match. In characters. */
const MAX_LENGTH = 1000;

/**
 * Whether a text matches a pattern, in time proportional to the text's length (RE2). Patterns with look-ahead or back references, which RE2
 * lacks, run on the engine's own RegExp; texts for which that could take long do not match. Invalid patterns never match.
 */
export function matches(target: unknown): Comparison {
  const pattern = typeof target === "string" && target.length < MAX_LENGTH ? withUnicodeClasses(target) : undefined;
  const found = pattern === undefined ? undefined : (linear(pattern) ?? backtracking(pattern));
  if (found === undefined) return () => false;
  return (value) => {
    const searched = text(value);
    return searched !== undefined && searched.length < MAX_LENGTH && found(searched);
  };
}

type Search = (searched: string) => boolean;

function linear(pattern: string): Search | undefined {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.LOOKBEHINDS);
    return (searched) => compiled.test(searched);
  } catch {
    return undefined;
  }
}

function backtracking(pattern: string): Search | undefined {
  const ignoresCase = pattern.startsWith("(?i)");
  const searching = ignoresCase ? pattern.slice(4) : pattern;
  const longest = longestText(searching);
  try {
    const compiled = new RegExp(searching, ignoresCase ? "iu" : "u");
    return (searched) => searched.length <= longest && compiled.test(searched);
  } catch {
    return undefined;
  }
}

const WORD_CLASS = "\\p{L}\\p{M}\\p{N}\\p{Pc}";

/** Makes `\d` and `\w` match the digits and letters of every script, and removes needless escapes, which RegExp rejects in Unicode mode. */
function withUnicodeClasses(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\[\s\S]|[[\]]/g, (token) => {
    if (token === "[" || token === "]") inClass = token === "[";
    if (token === "\\d") return "\\p{Nd}";
    if (token === "\\D") return "\\P{Nd}";
    if (token === "\\w") return inClass ? WORD_CLASS : `[${WORD_CLASS}]`;
    if (token === "\\W" && !inClass) return `[^${WORD_CLASS}]`;
    return /^\\[ !"#%&',:;<=>@_`~-]$/.test(token) && !(inClass && token === "\\-") ? token.slice(1) : token;
  });
}

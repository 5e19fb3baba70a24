import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { longestText } from "../src/operators/backtracking.ts";
import { matches } from "../src/operators/patterns.ts";

type Evil = { from: string; pattern: string; attack: (length: number) => string };

const repeated =
  (text: string, end = "") =>
  (length: number) =>
    text.repeat(Math.ceil(length / text.length)).slice(0, length) + end;

/** Published patterns and their attacks. Each takes exponential or polynomial time on a backtracking engine; RE2 searches for most of them. */
const PUBLISHED: Evil[] = [
  { from: "OWASP", pattern: "^(a+)+$", attack: repeated("a", "!") },
  { from: "OWASP", pattern: "^([a-zA-Z]+)*$", attack: repeated("a", "!") },
  { from: "OWASP", pattern: "^(a|aa)+$", attack: repeated("a", "!") },
  { from: "OWASP", pattern: "^(a|a?)+$", attack: repeated("a", "!") },
  { from: "OWASP", pattern: "^(.*a){20}$", attack: repeated("a", "!") },
  { from: "OWASP, class names", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$", attack: repeated("a") },
  {
    from: "OWASP, email",
    pattern: "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    attack: repeated("a", "!"),
  },
  { from: "OWASP, numbers", pattern: "^\\d*[0-9](|.\\d*[0-9]|)*$", attack: repeated("1", "!") },
  { from: "Stack Overflow, 2016", pattern: "^[\\s\\u200c]+|[\\s\\u200c]+$", attack: (length) => `x${" ".repeat(length)}x` },
  {
    from: "Cloudflare, 2019",
    pattern:
      "(?:(?:\"|'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|\\`|\\-|\\+)+[)]*;?((?:\\s|-|~|!|{}|\\|\\||\\+)*.*(?:.*=.*)))",
    attack: repeated("x", "="),
  },
  {
    from: "CVE-2015-8854, marked",
    pattern: "^\\b_((?:__|[\\s\\S])+?)_\\b|^\\*((?:\\*\\*|[\\s\\S])+?)\\*(?!\\*)",
    attack: (length) => `_${"__".repeat(length / 2)}a`,
  },
  { from: "CVE-2017-16021, uri-js", pattern: "^(?:[^:/?#]+:)?(?://(?:\\\\.|[^/?#])*)*$", attack: repeated("/\\/", "#") },
  { from: "CVE-2017-18214, moment", pattern: "D[oD]?(\\[[^\\[\\]]*\\]|\\s+)+MMMM?", attack: (length) => `D${" ".repeat(length)}` },
  {
    from: "CVE-2020-7662, websocket-extensions",
    pattern: '^([!#\\$%&\'\\*\\+\\-\\.^_`\\|~0-9A-Za-z]+)(;\\s*\\w+(=("(?:\\\\[\\x00-\\x7f]|[^\\x00-\\x08\\x0a-\\x1f\\x7f"])*"|\\w+))?)*$',
    attack: (length) => `a;b="${"\\c".repeat(length / 2)}`,
  },
  {
    from: "CVE-2021-3807, ansi-regex",
    pattern:
      "[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[-a-zA-Z\\d\\/#&.:=?%@~_]*)*)?\\u0007)|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))",
    attack: (length) => `\u001B[${";".repeat(length)}`,
  },
  { from: "CVE-2020-28500, lodash", pattern: "^\\s+|\\s+$", attack: (length) => `x${" ".repeat(length)}x` },
];

/** The same with a look-ahead or a back reference, which RE2 rejects: so `longestText` decides. */
const BEYOND_RE2 = PUBLISHED.flatMap(({ from, pattern, attack }) => [
  { from: `${from}, behind a look-ahead`, pattern: `(?=)(?:${pattern})`, attack },
  { from: `${from}, in a look-ahead`, pattern: `^(?!(?:${pattern}))[^]`, attack },
  { from: `${from}, before a back reference`, pattern: `(?:${pattern})(z?)\\k<tail>|(?<tail>y)`, attack },
]);

/** Patterns that people write with look-arounds, and a text that each is to be found in. */
const ORDINARY: [pattern: string, found: string][] = [
  ["^(?!.*@example\\.com$).*$", "alice@example.org"],
  ["^(?=.*[A-Z])(?=.*\\d).{8,}$", "Password1"],
  ["^(?!test|staging)[a-z]+$", "production"],
  ["(?<=user_)\\d+(?=_eu)", "user_42_eu"],
  ["^(?!10\\.|192\\.168\\.)\\d+\\.\\d+\\.\\d+\\.\\d+$", "8.8.8.8"],
  ["(['\"])[a-z]+\\1", "say 'hello'"],
  ["^v(?!0)\\d+\\.\\d+\\.\\d+$", "v1.22.333"],
];

/** The length of the attacks, characters. Texts of 1000 and more are never searched. */
const LENGTH = 990;

// A search that backtracks without a bound runs into the test's timeout: most of these would take years.
describe("a search for a pattern that is known to take a backtracking engine for ever", () => {
  test.each(PUBLISHED)("ends ($from)", ({ pattern, attack }) => {
    expect(matches(pattern)(attack(LENGTH))).toBe(false);
  });

  test.each(BEYOND_RE2)("ends where RE2 cannot search for it ($from)", ({ pattern, attack }) => {
    expect(() => RE2JS.compile(pattern, RE2JS.LOOKBEHINDS)).toThrow();
    expect(matches(pattern)(attack(LENGTH))).toBeTypeOf("boolean");
    expect(matches(pattern)(attack(Math.max(Math.min(longestText(pattern), LENGTH) - 1, 0)))).toBeTypeOf("boolean");
  });
});

describe("longestText", () => {
  test.each(BEYOND_RE2)("lets no text be searched that could take over ten million steps ($from)", ({ pattern }) => {
    expect(longestText(pattern)).toBeLessThanOrEqual(Math.sqrt(1e7));
  });

  test.each(ORDINARY)("lets %s be searched for in a text as people have", (pattern, found) => {
    expect(longestText(pattern)).toBeGreaterThan(found.length);
    expect(matches(pattern)(found)).toBe(true);
  });
});

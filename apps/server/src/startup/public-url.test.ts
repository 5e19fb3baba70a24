import { expect, test } from "vitest";
import { readPublicUrl } from "./public-url.ts";

function read(text: string): [url: string | undefined, faults: string[]] {
  const faults: string[] = [];
  return [readPublicUrl({ GATEHOUSE_PUBLIC_URL: text }, faults), faults];
}

test.each([
  ["https://Flags.example.com:8443/", "https://flags.example.com:8443"],
  ["http://localhost:4000", "http://localhost:4000"],
  ["https://example.com/gatehouse", "https://example.com/gatehouse"],
  ["https://example.com/Tools/gate-house_1.0~x/", "https://example.com/Tools/gate-house_1.0~x"],
])("%s is a public URL, without a slash at its end", (text, url) => {
  expect(read(text)).toEqual([url, []]);
});

test.each([
  ...["flags.example.com", "//example.com", "javascript:alert(1)", "https://me@example.com", "https://me:secret@example.com/a"],
  ...[
    "https://example.com/?a",
    "https://example.com/gatehouse?",
    "https://example.com/a#b",
    "https:\\\\example.com",
    "https://a b/",
    "https://",
  ],
])("rejects %s, which is not an http or https URL without a query", (text) => {
  expect(read(text)).toEqual([
    undefined,
    [
      "GATEHOUSE_PUBLIC_URL must be an http or https URL without a query, such as https://flags.example.com or https://example.com/gatehouse",
    ],
  ]);
});

test.each([
  ...[
    "https://example.com//",
    "https://example.com/a//b",
    "https://example.com/a/../b",
    "https://example.com/.",
    "https://example.com/a%20b",
  ],
  ...[
    "https://example.com/%2e%2e",
    "https://example.com/flügel",
    "https://example.com/a;b",
    "https://example.com/a'b",
    "https://example.com/a//",
  ],
])("%s has no plain path", (text) => {
  const [, faults] = read(text);
  expect(faults).toEqual([
    "GATEHOUSE_PUBLIC_URL must have a path of plain segments, such as https://example.com/gatehouse: letters, digits, hyphens, dots, " +
      "underscores, and tildes, and no segment that is empty, . or ..",
  ]);
});

test.each(["console", "docs", "v1", "Assets", ".well-known"])("a path can't begin with /%s", (segment) => {
  const fault = `GATEHOUSE_PUBLIC_URL can't have a path that begins with /${segment}, which the server uses itself`;
  expect(read(`https://example.com/${segment}/gatehouse`)[1]).toEqual([fault]);
  expect(read(`https://example.com/gatehouse/${segment}`)[1]).toEqual([]);
});

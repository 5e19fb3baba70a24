import { expect, test } from "vitest";
import { fillIn, readSnippets } from "./sdk-pages.ts";

const PAGES = import.meta.glob<string>("../../../../../docs/connect/*.md", { query: "?raw", import: "default", eager: true });
const LANGUAGES = Object.entries(PAGES)
  .map(([path, text]) => ({ file: path.replace(/^.*\//, ""), text }))
  .filter(({ file }) => !["client.md", "sdks.md"].includes(file));

test.each(LANGUAGES)("$file has code of at least two SDKs that reads the reader's gate from the reader's server", ({ text: markdown }) => {
  const snippets = readSnippets(markdown);
  expect(snippets.length).toBeGreaterThanOrEqual(2);
  for (const { code } of snippets) {
    const text = code.map((part) => fillIn(part.text, { gate: "Gate “1”", url: "https://flags.example.com" })).join("\n");
    expect(text).toContain("Gate “1”");
    expect(text).not.toMatch(/new_checkout|127\.0\.0\.1|10\.0\.2\.2/);
  }
});

test("a gate with a quotation mark stays one text of the code", () => {
  expect(fillIn('check("new_checkout")', { gate: 'a"b\\c', url: "" })).toBe('check("a\\"b\\\\c")');
});

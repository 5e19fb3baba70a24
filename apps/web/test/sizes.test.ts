import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// The size of a browser's downloads, compressed with brotli. Turbo builds before it tests.

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** The most that everything may have that `index.html` names. In kB of 1,000 bytes. */
const MAX_ENTRY_KB = 139;
/** The most that stands around the pages of a project: navigation, dialogs, notices. It is loaded once. */
const MAX_AROUND_KB = 66;
/** The most that a page may load beyond that. */
const MAX_PAGE_KB = 105;

type Chunk = { file: string; src?: string; isDynamicEntry?: boolean; imports?: string[]; css?: string[] };
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${dist}manifest.json`, "utf8"));
const html = readFileSync(`${dist}index.html`, "utf8");

/** The build compresses files where that pays off. */
const countBytes = (file: string) => readFileSync(existsSync(`${dist}${file}.br`) ? `${dist}${file}.br` : dist + file).length;
const kilobytes = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + countBytes(file), 0) / 1_000;

const entry = new Set([...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file = ""]) => file));

/** The files that a chunk cannot run without. */
function collectFiles(key: string, known = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (chunk === undefined || known.has(chunk.file)) return known;
  known.add(chunk.file);
  for (const css of chunk.css ?? []) known.add(css);
  for (const imported of chunk.imports ?? []) collectFiles(imported, known);
  return known;
}

/** The frame around every page of a project, and the parts above every page. */
const AROUND = ["src/shell/shell.tsx", "src/shell/overlays.tsx"];
const pages = Object.keys(manifest).filter(
  (key) => /^src\/(session\/.*page|pages\/[^/]+\/\w+)\.tsx$/.test(key) && manifest[key]?.isDynamicEntry,
);

test("every file that the page names has a hash in its name", () => {
  for (const file of entry) expect(file).toMatch(/^assets\/[\w-]+-[\w-]{7,8}\.(js|css|svg)$/);
});

test(`the files in index.html have at most ${MAX_ENTRY_KB} kB`, () => {
  expect(entry.size).toBeGreaterThan(3);
  expect(kilobytes(entry)).toBeLessThanOrEqual(MAX_ENTRY_KB);
});

describe("each page loads little beyond that", () => {
  test("all pages are known", () => {
    expect(pages).toEqual(expect.arrayContaining(["src/session/sign-in-page.tsx", "src/pages/gates/page.tsx", "src/pages/gates/list.tsx"]));
    for (const key of AROUND) expect(manifest[key]?.isDynamicEntry).toBe(true);
  });

  const around = new Set(AROUND.flatMap((key) => [...collectFiles(key)]));
  const beyond = (files: Iterable<string>, known: ReadonlySet<string>) => kilobytes([...files].filter((file) => !known.has(file)));

  test(`the frame around pages has at most ${MAX_AROUND_KB} kB`, () => {
    expect(beyond(around, entry)).toBeLessThanOrEqual(MAX_AROUND_KB);
  });

  test.each(pages)(`%s: at most ${MAX_PAGE_KB} kB`, (page) => {
    expect(beyond(collectFiles(page), new Set([...entry, ...around]))).toBeLessThanOrEqual(MAX_PAGE_KB);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DOCS = fileURLToPath(new URL("../../../../docs/", import.meta.url));

/** A block of code that a reader would run, and the reason if no test runs it. */
export type Block = { page: string; language: string; code: string; isForBrowsers: boolean; skipped: string | undefined };

/** The pages of the documentation, by their path below `docs/`. */
export function readPages(): Map<string, string> {
  const files = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  return new Map(files.sort().map((page) => [page, readFileSync(join(DOCS, page), "utf8")]));
}

/** Blocks of the languages that tests run, in the order of the pages. */
export function readBlocks(): Block[] {
  return [...readPages()].flatMap(([page, text]) =>
    [...text.matchAll(/^```(sh|ts|tsx)\b(.*)\n([\s\S]*?)^```$/gm)].map(([, language = "", note = "", code = ""]) => ({
      ...{ page, language, code, isForBrowsers: note === " browser" },
      skipped: /^ skip: (.{10,})$/.exec(note)?.[1],
    })),
  );
}

/** The blocks of one page that a test runs. */
export function readRunBlocks(page: string, language = "sh"): string[] {
  const blocks = readBlocks().filter((block) => block.page === page && block.language === language && block.skipped === undefined);
  return blocks.map(({ code }) => code);
}

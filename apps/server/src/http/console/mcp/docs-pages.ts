import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { once } from "../../../common/once.ts";
import { toWords } from "./catalog.ts";

/** A page of the documentation as Markdown. `path` is its address below the docs: `use/rollouts`. */
type DocsPage = { path: string; title: string; description: string; text: string };

/** A page with the words of its parts. */
type Indexed = { page: DocsPage; words: Record<keyof typeof WEIGHTS, ReadonlySet<string>> };

/** The pages of the documentation. They are read at the first use and then kept. */
export type DocsPages = {
  list(): Promise<DocsPage[]>;
  find(path: string): Promise<DocsPage | undefined>;
  /** The pages with the most of these words, the best match first, each with the paragraph that matches best. */
  search(words: string, limit: number): Promise<(Omit<DocsPage, "text"> & { excerpt: string })[]>;
};

const MAX_EXCERPT_LENGTH = 500;
/** How much a word counts in the title, the description and the text of a page. */
const WEIGHTS = { title: 10, description: 5, text: 1 };

/** @param folder of the built documentation, which has a Markdown file for each page */
export function createDocsPages(folder: string): DocsPages {
  const read = once(async () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
    return Promise.all(files.sort().map(async (file) => toIndexed(await readPage(folder, file.replaceAll("\\", "/")))));
  });
  return {
    list: async () => (await read()).map(({ page }) => page),
    find: async (path) => (await read()).find(({ page }) => page.path === path)?.page,
    async search(words, limit) {
      const pages = await read();
      const wanted = toWeights(pages, toWords(words));
      const scored = pages.map((one) => ({ page: one.page, score: scorePage(one, wanted) })).filter(({ score }) => score > 0);
      return scored
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ page: { text, ...page } }) => ({ ...page, excerpt: excerptOf(text, wanted) }));
    },
  };
}

function toIndexed(page: DocsPage): Indexed {
  const wordsOf = (part: keyof typeof WEIGHTS) => new Set(toWords(page[part]));
  return { page, words: { title: wordsOf("title"), description: wordsOf("description"), text: wordsOf("text") } };
}

async function readPage(folder: string, file: string): Promise<DocsPage> {
  const text = await readFile(join(folder, file), "utf8");
  const [, head = "", body = text] = /^---\n(.*?)\n---\n+(.*)$/s.exec(text) ?? [];
  const read = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(head)?.[1] ?? "";
  const path = file.replace(/\.md$/, "");
  return { path, title: read("title") || path, description: read("description"), text: body };
}

/** Words with their weights: the fewer pages have a word, the more it counts (inverse document frequency). */
function toWeights(pages: readonly Indexed[], wanted: readonly string[]): Map<string, number> {
  const countPages = (word: string) => pages.filter(({ words }) => words.text.has(word)).length;
  return new Map(wanted.map((word) => [word, Math.log(1 + pages.length / (1 + countPages(word)))]));
}

function scorePage({ words }: Indexed, wanted: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [part, weight] of Object.entries(WEIGHTS)) sum += weight * weigh(words[part as keyof typeof WEIGHTS], wanted);
  return sum;
}

/** The weights of the wanted words that are among these. */
function weigh(words: ReadonlySet<string>, wanted: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [word, weight] of wanted) if (words.has(word)) sum += weight;
  return sum;
}

function excerptOf(text: string, wanted: ReadonlyMap<string, number>): string {
  const paragraphs = text.split(/\n{2,}/);
  const weights = paragraphs.map((one) => weigh(new Set(toWords(one)), wanted));
  const best = paragraphs[weights.indexOf(Math.max(...weights))] ?? "";
  return best.length > MAX_EXCERPT_LENGTH ? `${best.slice(0, MAX_EXCERPT_LENGTH)}…` : best;
}

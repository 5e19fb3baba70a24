import { Prisma } from "../../generated/prisma/client.ts";
import { name, type Row } from "../database/row.ts";
import type { Versioned } from "../requests/entity-tag.ts";

/** The fields that lists of a kind search and sort by. */
export type Listing<E> = {
  getName(entity: E): string;
  /** The texts that a search looks in, beside the id and the name. Missing texts are left out. */
  searchTexts(entity: E): (string | null | undefined)[];
};

/** The columns of a `Listing`. */
export type ListingColumn = "lastModifiedTime" | "sortName" | "searchText" | "searchGrams";

type Sort = "name" | "createdTime" | "lastModifiedTime" | "status" | "applyAt";
type SortOrder = "asc" | "desc";

/** The search and order of a list, and the rows of the page: it skips `skip` rows and returns `take`. */
export type Window = { skip: number; take: number; search?: string | undefined; sort?: Sort | undefined; order?: SortOrder | undefined };

/** With so many matches or more, reading the list in its order is faster than the index. */
export const MANY_MATCHES = 2_000;

/** A longer name is sorted by its beginning: an index cannot have more than some 2,700 bytes in a row. In letters. */
const MAX_SORT_LENGTH = 200;

const MULTIPLIER = 8_191;
const MODULUS = 2_147_483_647;

/** The value of the column that searches read: all searched texts, in lower case. */
export function toSearchText<E extends Versioned>({ getName, searchTexts }: Listing<E>, id: string, entity: E): string {
  const texts = [id, getName(entity), ...searchTexts(entity)].filter((text): text is string => Boolean(text));
  return [...new Set(texts.map(fold))].join("\n");
}

/** The other columns of a listing. */
export function listingColumns<E extends Versioned>({ getName }: Listing<E>, searchText: string, entity: E): Row {
  const { lastModifiedTime, createdTime = 0 } = entity as E & { lastModifiedTime?: number };
  const sortName = Array.from(fold(getName(entity)))
    .slice(0, MAX_SORT_LENGTH)
    .join("");
  return { lastModifiedTime: lastModifiedTime ?? createdTime, sortName, searchGrams: toGrams(splitWords(searchText)) };
}

/** The words of a search. Each must be found. */
export function searchedWords(search: string | undefined): string[] {
  return search === undefined ? [] : splitWords(fold(search));
}

/**
 * The conditions of a search. The index knows pairs and triples of letters, which narrow the search to few rows. Only their texts are read.
 * @param isNarrow whether to use the index, which is slower than reading the list in its order if most entities match
 */
export function matching(words: string[], { isNarrow }: { isNarrow: boolean }): Prisma.Sql[] {
  const grams = toGrams(words, { isSearched: true });
  return [
    ...(isNarrow && grams.length > 0 ? [Prisma.sql`"searchGrams" @> ${grams}::int[]`] : []),
    ...words.map((word) => Prisma.sql`strpos("searchText", ${word}) > 0`),
  ];
}

/** The sort columns of a list, with their directions. Without a sort, newest first. Ties are sorted newest first, or by id. */
export function sortColumns({ sort = "createdTime", order }: Window, idColumn: string): Prisma.Sql {
  const newest: [Prisma.Sql, SortOrder][] = [
    [name("createdTime"), "desc"],
    [name(idColumn), "asc"],
  ];
  const byCodePoint = (column: string) => Prisma.sql`${name(column)} collate "C"`;
  const natural: Record<Sort, [Prisma.Sql, SortOrder][]> = {
    createdTime: newest,
    lastModifiedTime: [
      [name("lastModifiedTime"), "desc"],
      [name(idColumn), "asc"],
    ],
    name: [
      [byCodePoint("sortName"), "asc"],
      [name(idColumn), "asc"],
    ],
    status: [[name("status"), "asc"], ...newest],
    applyAt: [
      [name("applyAt"), "asc"],
      [name(idColumn), "asc"],
    ],
  };
  const columns = natural[sort];
  // An index is read forwards or backwards, so the other order is the exact reverse.
  const isReversed = order !== undefined && order !== columns[0]?.[1];
  const directions = { asc: Prisma.sql`asc`, desc: Prisma.sql`desc` };
  const reversed = { asc: directions.desc, desc: directions.asc };
  return Prisma.join(columns.map(([column, direction]) => Prisma.sql`${column} ${(isReversed ? reversed : directions)[direction]}`));
}

/** Lower case by Unicode, letter by letter: the same for a text and for its parts. */
function fold(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase()).join("");
}

function splitWords(folded: string): string[] {
  return [...new Set(folded.split(/\s+/u))].filter((word) => word !== "");
}

/**
 * The pairs and triples of letters in words, each as a number. Two may have the same number, so matches of the index have yet to be read.
 * @param isSearched whether a word's triples are enough, which imply its pairs
 */
function toGrams(words: string[], { isSearched = false } = {}): number[] {
  const grams = new Set<number>();
  for (const word of words) {
    const codes = Array.from(word, (letter) => letter.codePointAt(0) as number);
    for (const [index, first] of codes.entries()) {
      const [second, third] = [codes[index + 1], codes[index + 2]];
      if (second === undefined) continue;
      const pair = first * MULTIPLIER + second;
      if (!isSearched || codes.length === 2) grams.add(pair % MODULUS);
      if (third !== undefined) grams.add((pair * MULTIPLIER + third) % MODULUS);
    }
  }
  return [...grams];
}

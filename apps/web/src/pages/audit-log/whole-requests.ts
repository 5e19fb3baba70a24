// Pages of the audit log that don't end within a request. Pure.
import { type Entry, entryRequest } from "./entries.ts";

export type EntriesPage = { entries: Entry[]; next: number | null };

/** Reads the newest entries, or those before an entry with this number. */
type Read = (before: number | undefined, limit: number) => Promise<Entry[]>;

type Sizes = {
  /** The entries of a page. */
  page: number;
  /** The most entries that can be read at once. */
  atOnce: number;
  /** The most entries of a page that is read on to the end of a request. */
  most: number;
};

/**
 * Reads a page and the rest of the request that it ends in, so that a request is one row with all its changes. If the last entry may be the first
 * of a request, the next page begins with it.
 */
export async function readWholeRequests(read: Read, before: number | undefined, { page, atOnce, most }: Sizes): Promise<EntriesPage> {
  const entries = await read(before, page);
  if (entries.length < page) return { entries, next: null };
  const [request, earlier] = [entries.at(-1), entries.at(-2)].map((entry) => entry && entryRequest(entry));
  if (request !== undefined && request !== earlier) entries.pop();
  let goesOn = request !== undefined && request === earlier;
  while (goesOn && entries.length < most) {
    const rest = await read(entries.at(-1)?.seq, atOnce);
    const end = rest.findIndex((entry) => entryRequest(entry) !== request);
    entries.push(...(end === -1 ? rest : rest.slice(0, end)));
    if (end === -1 && rest.length < atOnce) return { entries, next: null };
    goesOn = end === -1;
  }
  return { entries, next: entries.at(-1)?.seq ?? null };
}

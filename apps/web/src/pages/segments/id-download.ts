import { call } from "../../api.ts";

const PAGE_SIZE = 1_000;
/** Characters that separate or quote values where a list is read. */
const SPECIAL = /[",;\t\r\n]/;

/** A line of the file, which "Add IDs" and "Replace all" read back as the same ID. */
export const toLine = (id: string): string => `${SPECIAL.test(id) ? `"${id.replaceAll('"', '""')}"` : id}\r\n`;

/** The list changed while it was read, so that the pages don't fit together. */
export class ListChanged extends Error {}

/**
 * All IDs of a segment as a CSV file with one column.
 * @throws ConsoleApiError, or ListChanged
 */
export async function readIDFile(id: string, signal: AbortSignal, onRead: (count: number) => void): Promise<Blob[]> {
  const parts = [new Blob(["id\r\n"])];
  const version = async () => (await call("getSegment", { path: { id } })).data.version;
  const before = await version();
  let count = 0;
  for (let page = 1; ; page++) {
    const { data, pagination } = await call("getSegmentIDList", { path: { id }, query: { limit: PAGE_SIZE, page }, signal });
    parts.push(new Blob([data.ids.map(toLine).join("")]));
    count += data.ids.length;
    onRead(count);
    if (pagination.nextPage === null) break;
  }
  if ((await version()) !== before) throw new ListChanged();
  return parts;
}

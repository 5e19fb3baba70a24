import { parseList } from "../../targeting/parse-list.ts";
import { formatNumber } from "../../ui/number-text.ts";
import { type IDColumn, parseRecord, pickIDs } from "./id-table.ts";

/** Limits on ids and requests, as in the contract. */
const MAX_ID_LENGTH = 1_000;
const MAX_ID_BYTES = 2_000;
/** In characters of JSON. The server can keep so much for a review, progress shows, and each request ends soon. */
const MAX_BATCH_LENGTH = 1_000_000;
const COUNTED_AT_ONCE = 50_000;
/** IDs of a file that are remembered, to count each once. */
const MAX_KNOWN = 1_000_000;
/** A longer line is not a list of ids. */
const MAX_LINE_LENGTH = 2 ** 20;

export type Refused = { line: number; reason: string };

/** Ids that are sent together. */
export type Batch = {
  ids: string[];
  /** Refused since the batch before. */
  refused: Refused[];
  /** The number of the last line that was read, and how many bytes of the file were. */
  line: number;
  bytes: number;
};

/** Why a list cannot have an id; undefined if it can. */
export function explainRefusal(id: string): string | undefined {
  if (id.length > MAX_ID_LENGTH) return `IDs can have up to ${formatNumber(MAX_ID_LENGTH)} characters.`;
  if (id.length * 3 > MAX_ID_BYTES && new TextEncoder().encode(id).length > MAX_ID_BYTES) return "IDs can have up to 2,000 bytes in UTF-8.";
  if (id.includes("\0")) return "IDs can’t contain the character U+0000.";
  return /\uFFFD/.test(id) ? "The line isn’t valid UTF-8." : undefined;
}

/**
 * The ids of a text file in UTF-8, in batches: of a table those of a column, otherwise one a line or separated by commas or tabs. Of a file of any
 * size, only a batch is in memory.
 * @param size the most ids of a batch
 */
export async function* readBatches(file: Blob, size: number, column?: IDColumn): AsyncGenerator<Batch> {
  let ids: string[] = [];
  const known = new Set<string>();
  let refused: Refused[] = [];
  let [line, length, bytes] = [0, 0, 0];
  const take = (): Batch => {
    const batch = { ids, refused, line, bytes };
    ids = [];
    refused = [];
    length = 0;
    return batch;
  };
  for await (const read of column ? readColumn(file, column) : readLists(file)) {
    ({ line, end: bytes } = read);
    if (read.reason !== undefined) refused.push({ line, reason: read.reason });
    for (const id of read.ids) {
      const reason = explainRefusal(id);
      if (reason !== undefined) {
        refused.push({ line, reason });
        continue;
      }
      // An ID that occurs again counts once, as far back as memory permits.
      if (known.has(id)) continue;
      if (known.size < MAX_KNOWN) known.add(id);
      ids.push(id);
      length += JSON.stringify(id).length + 1;
      if (ids.length >= size || length >= MAX_BATCH_LENGTH) yield take();
    }
    // A file without any ids reports its refused lines instead.
    if (refused.length >= size) yield take();
  }
  bytes = file.size;
  yield take();
}

/** How many IDs a transfer of the file sends. */
export async function countAccepted(file: Blob, column?: IDColumn): Promise<number> {
  let count = 0;
  for await (const { ids } of readBatches(file, COUNTED_AT_ONCE, column)) count += ids.length;
  return count;
}

/** The ids of a line or a record, by the line on which it ends. */
type Read = { ids: string[]; line: number; end: number /** The reason for missing ids. */; reason?: string };

const TOO_LONG = "The line is too long.";

async function* readLists(file: Blob): AsyncGenerator<Read> {
  let line = 0;
  for await (const { text, end, isCut } of readLines(file)) {
    line += 1;
    yield isCut ? { ids: [], line, end, reason: TOO_LONG } : { ids: parseList(text).values, line, end };
  }
}

/** A quoted field can continue on the next lines. */
async function* readColumn(file: Blob, column: IDColumn): AsyncGenerator<Read> {
  let [line, waiting, isFirst, last] = [0, "", column.skipsFirst, 0];
  for await (const { text, end, isCut } of readLines(file)) {
    line += 1;
    last = end;
    // Only a quotation mark ends a quoted field: without this, an open one would be parsed again with each line.
    const isQuoted = waiting !== "" && !text.includes('"');
    const record = isQuoted ? undefined : parseRecord(waiting + text, column.separator);
    if (isCut || (!record && waiting.length > MAX_LINE_LENGTH)) {
      waiting = "";
      yield { ids: [], line, end, reason: TOO_LONG };
    } else if (!record) waiting += `${text}\n`;
    else {
      waiting = "";
      const isEmpty = record.every((field) => field === "");
      const ids = isFirst || isEmpty ? [] : pickIDs(record, column);
      isFirst &&= isEmpty;
      yield ids ? { ids, line, end } : { ids: [], line, end, reason: "The column is missing in this line." };
    }
  }
  if (waiting !== "") yield { ids: [], line, end: last, reason: "A quotation mark isn’t closed." };
}

type Line = { text: string /** The bytes that were read by then. */; end: number /** Whether it was too long to keep. */; isCut: boolean };

async function* readLines(file: Blob): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const reader = file.stream().getReader();
  let [rest, isCut, end] = ["", false, 0];
  for (;;) {
    const { done, value } = await reader.read();
    end += value?.length ?? 0;
    const lines = (rest + decoder.decode(value ?? new Uint8Array(), { stream: !done })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const text of lines) {
      yield { text, end, isCut };
      isCut = false;
    }
    if (rest.length > MAX_LINE_LENGTH) {
      isCut = true;
      rest = "";
    }
    if (done) break;
  }
  if (rest !== "" || isCut) yield { text: rest, end, isCut };
}

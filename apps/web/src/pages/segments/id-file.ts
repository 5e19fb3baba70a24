import { parseList } from "../../targeting/parse-list.ts";

/** What a list takes: as the contract bounds ids and requests. */
const MAX_ID_LENGTH = 1_000;
const MAX_ID_BYTES = 2_000;
/** Less than the contract permits in a request, so that progress shows and each request ends soon. */
const MAX_BATCH_LENGTH = 4 * 2 ** 20;
/** IDs of a file that are remembered, to count each once. */
const MAX_KNOWN = 1_000_000;
/** A longer line is no list of ids. */
const MAX_LINE_LENGTH = 2 ** 20;

export type Refused = { line: number; reason: string };

/** Ids that are sent together. */
export type Batch = {
  ids: string[];
  /** What was left out since the batch before. */
  refused: Refused[];
  /** The number of the last line that was read, and how many bytes of the file were. */
  line: number;
  bytes: number;
};

/** Why a list cannot have an id; undefined if it can. */
export function explainRefusal(id: string): string | undefined {
  if (id.length > MAX_ID_LENGTH) return `An ID has at most ${MAX_ID_LENGTH.toLocaleString("en")} characters.`;
  if (id.length * 3 > MAX_ID_BYTES && new TextEncoder().encode(id).length > MAX_ID_BYTES) return "An ID has at most 2,000 bytes in UTF-8.";
  if (id.includes("\0")) return "An ID cannot have the character U+0000.";
  return /\uFFFD/.test(id) ? "The line is not UTF-8." : undefined;
}

/**
 * The ids of a text file in UTF-8, one a line or separated by commas or tabs, in batches. Of a file of any size, only a batch is in memory.
 * @param size the most ids of a batch
 */
export async function* readBatches(file: Blob, size: number): AsyncGenerator<Batch> {
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
  for await (const { text, end, isCut } of readLines(file)) {
    line += 1;
    bytes = end;
    if (isCut) refused.push({ line, reason: "The line is longer than a list of IDs." });
    else
      for (const id of parseList(text).values) {
        const reason = explainRefusal(id);
        if (reason !== undefined) {
          refused.push({ line, reason });
          continue;
        }
        // An ID that occurs again counts once, as far back as memory permits.
        if (known.has(id)) continue;
        if (known.size < MAX_KNOWN) known.add(id);
        ids.push(id);
        length += id.length;
        if (ids.length >= size || length >= MAX_BATCH_LENGTH) yield take();
      }
    // A file that has no ids at all reports what it has instead.
    if (refused.length >= size) yield take();
  }
  bytes = file.size;
  yield take();
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

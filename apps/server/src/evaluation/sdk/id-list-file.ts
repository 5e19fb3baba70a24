/** A file of an id list. `size` is in bytes, `creationTime` in ms since the epoch. */
export type IDListFile = { name: string; fileID: string; size: number; creationTime: number };

export type IDListFiles = {
  /** The files of these lists, sorted by name. */
  files(names: string[]): Promise<IDListFile[]>;
  /** The bytes of a list's file from offset `from` up to `to`, exclusive. Fewer if the file ends earlier. */
  readFile(name: string, from: number, to: number): Promise<Buffer>;
};

/** The bytes from `first` up to `end`, exclusive. */
export type ByteRange = { first: number; end: number };

/**
 * The range that a Range header requests. Undefined for the whole file: without a header, or if it is not supported, which RFC 9110,
 * section 14.2 allows. `first` may be beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined) return undefined;
  return { first: Number(first), end: last ? Math.min(Number(last) + 1, size) : size };
}

export function idListPath(name: string, fileID: string): string {
  return `/v1/id_lists/${encodeURIComponent(name)}/${fileID}`;
}

/** Adds and removes hashes as the lines of an id list's file say. */
export function applyLines(hashes: Set<string>, lines: string): void {
  for (const line of lines.split("\n")) {
    if (line.startsWith("+")) hashes.add(line.slice(1));
    else if (line.startsWith("-")) hashes.delete(line.slice(1));
  }
}

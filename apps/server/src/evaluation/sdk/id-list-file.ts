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

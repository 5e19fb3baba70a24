/** From `first` up to, and without, `end`, in bytes. */
export type ByteRange = { first: number; end: number };

/**
 * What a Range header asks of a file. Undefined for the whole of it: there is no header, or one that is not understood, as RFC 9110, 14.2
 * lets a server do. `first` may be behind the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined) return undefined;
  return { first: Number(first), end: last ? Math.min(Number(last) + 1, size) : size };
}

export function idListPath(name: string, fileID: string): string {
  return `/v1/id_lists/${encodeURIComponent(name)}/${fileID}`;
}

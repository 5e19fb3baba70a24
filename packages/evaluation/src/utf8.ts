const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text whose UTF-8 comes in pieces. */
export function textOf(pieces: readonly Uint8Array[]): string {
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}

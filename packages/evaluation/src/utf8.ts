const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes pieces of UTF-8, which may split characters. */
export function toText(pieces: readonly Uint8Array[]): string {
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}

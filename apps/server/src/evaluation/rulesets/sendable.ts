import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { constants, createBrotliCompress, createGzip } from "node:zlib";

export type Encoding = "identity" | "gzip" | "br";

/** A text in pieces, with each requested encoding cached. */
export type Sendable = { pieces(encoding: Encoding): Promise<readonly Buffer[]> };

/** Brotli's quality. Higher ones take much longer and save few bytes. */
const BROTLI_QUALITY = 5;

const ENCODERS: Record<Exclude<Encoding, "identity">, () => NodeJS.ReadWriteStream> = {
  gzip: () => createGzip(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
};

/** Creates the text, and each of its encodings, when it is first requested. */
export function sendable(makeText: () => readonly Buffer[]): Sendable {
  const made = new Map<Encoding, Promise<readonly Buffer[]>>();
  const pieces = (encoding: Encoding): Promise<readonly Buffer[]> => {
    let encoded = made.get(encoding);
    if (!encoded) {
      encoded =
        encoding === "identity" ? Promise.resolve(makeText()) : pieces("identity").then((text) => encode(text, ENCODERS[encoding]()));
      made.set(encoding, encoded);
    }
    return encoded;
  };
  return { pieces };
}

async function encode(text: readonly Buffer[], encoder: NodeJS.ReadWriteStream): Promise<Buffer[]> {
  return [await buffer(Readable.from(text).pipe(encoder))];
}

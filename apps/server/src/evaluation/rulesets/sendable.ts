import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { constants, createBrotliCompress, createGzip } from "node:zlib";

export type Encoding = "identity" | "gzip" | "br";

/** A text as it is sent, in pieces: made once, and once for each encoding that somebody asks for. */
export type Sendable = { pieces(encoding: Encoding): Promise<readonly Buffer[]> };

/** The quality of Brotli. A higher one costs more time than it saves bytes. */
const BROTLI_QUALITY = 5;

const ENCODERS: Record<Exclude<Encoding, "identity">, () => NodeJS.ReadWriteStream> = {
  gzip: () => createGzip(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
};

/** A text that is made when it is first asked for, and each of its encodings too. */
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

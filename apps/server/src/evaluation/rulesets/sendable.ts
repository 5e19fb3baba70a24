import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Sendable } from "../ruleset-view.ts";

/** Of brotli: from here on each step costs more time than it saves bytes. */
const BROTLI_QUALITY = 5;

const ENCODE = {
  identity: (text: Buffer) => Promise.resolve(text),
  gzip: (text: Buffer) => promisify(gzip)(text),
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
};

/** A text that is made when it is first asked for, and each of its encodings too. */
export function sendable(makeText: () => string): Sendable {
  const made = new Map<string, Promise<Buffer>>();
  const bytes = (encoding: keyof typeof ENCODE): Promise<Buffer> => {
    let encoded = made.get(encoding);
    if (!encoded) {
      encoded = encoding === "identity" ? ENCODE.identity(Buffer.from(makeText())) : bytes("identity").then(ENCODE[encoding]);
      made.set(encoding, encoded);
    }
    return encoded;
  };
  return { bytes };
}

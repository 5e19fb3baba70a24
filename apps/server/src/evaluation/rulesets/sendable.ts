import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "identity" | "gzip" | "br";

/** A text as it is sent: made once, and once for each encoding that somebody asks for. */
export type Sendable = { bytes(encoding: Encoding): Promise<Buffer> };

/** Of brotli: from here on each step costs more time than it saves bytes. */
const BROTLI_QUALITY = 5;

const ENCODE: Record<Encoding, (text: Buffer) => Promise<Buffer>> = {
  identity: (text) => Promise.resolve(text),
  gzip: (text) => promisify(gzip)(text),
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
};

/** A text that is made when it is first asked for, and each of its encodings too. */
export function sendable(makeText: () => string): Sendable {
  const made = new Map<Encoding, Promise<Buffer>>();
  const bytes = (encoding: Encoding): Promise<Buffer> => {
    let encoded = made.get(encoding);
    if (!encoded) {
      encoded = encoding === "identity" ? ENCODE.identity(Buffer.from(makeText())) : bytes("identity").then(ENCODE[encoding]);
      made.set(encoding, encoded);
    }
    return encoded;
  };
  return { bytes };
}

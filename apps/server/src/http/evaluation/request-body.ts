import type { IncomingMessage } from "node:http";
import type { BodyDescription } from "@gatehouse/contract";
import { AppError } from "../../common/errors.ts";
import { parseBody, tooLarge } from "../common/body-rules.ts";
import { type Decode, decodeBody } from "../common/decode-body.ts";
import { decompressGzip, notEncoded, selectDecoders } from "../common/decompress.ts";
import type { Turn } from "../common/large-bodies.ts";
import { readBytes } from "../common/read-bytes.ts";

/** SDKs in browsers send text/plain or no type to avoid a preflight request. */
const JSON_TYPE = /^(application\/json|text\/plain)\s*(;|$)/i;
const OTHER_CHARSET = /charset=(?!"?utf-?8)/i;

/**
 * Reads a JSON body as SDKs send it: compressed with a Content-Encoding or, with `gz=1`, without that header; with `se=1` or
 * `STATSIG-ENCODED: 1` as reversed base64. Undefined if it is missing.
 * @param turn taken if the body is large
 */
export async function readBody(
  request: IncomingMessage,
  query: URLSearchParams,
  { maxBytes, maxValues, checksItemsSingly }: BodyDescription,
  turn: Turn,
): Promise<unknown> {
  const sent = await readBytes(request, maxBytes);
  if (sent.length === 0) return undefined;
  requireJson(request.headers["content-type"]);
  const decoders = selectDecoders(request.headers["content-encoding"]);
  if (query.get("gz") === "1") decoders.push(unzip);
  if (query.get("se") === "1" || request.headers["statsig-encoded"] === "1") decoders.push(undoReversedBase64);
  const text = await decodeBody(request, sent, { decoders, limit: maxBytes, turn });
  return parseBody(text, maxValues, { checksItems: checksItemsSingly });
}

function requireJson(type: string | undefined): void {
  if (type === undefined || (JSON_TYPE.test(type) && !OTHER_CHARSET.test(type))) return;
  throw new AppError("unsupported_media_type", "The body must be sent as application/json or text/plain, in UTF-8.");
}

/** Some SDKs declare gzip in the query and in the header, so the body may already be decompressed. */
const unzip: Decode = async (data, limit) => {
  const isGzip = data[0] === 0x1f && data[1] === 0x8b;
  return isGzip ? await decompressGzip(data, limit) : data;
};

const undoReversedBase64: Decode = async (data, limit) => {
  if ((data.length * 3) / 4 > limit + 3) throw tooLarge(limit);
  // Reverse bytes, not characters: 10 MiB as an array of one-character strings would take gigabytes.
  const text = Buffer.from(data).reverse().toString("latin1").trim();
  if (!/^[A-Za-z0-9+/]*=*$/.test(text)) throw notEncoded("base64 in reverse");
  // `btoa` encodes one byte per character (Latin-1, not UTF-8). It throws on other characters, and SDKs then send the body unencoded.
  return Buffer.from(Buffer.from(text, "base64").toString("latin1"));
};

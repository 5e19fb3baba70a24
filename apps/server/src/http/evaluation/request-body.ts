import type { IncomingMessage } from "node:http";
import { AppError } from "../../errors.ts";
import { mayBeUnstorable, notJson, refusalOfUnstorable, tooLarge } from "../body-rules.ts";
import { decompress, notEncoded } from "./decompress.ts";

/** SDKs in browsers say text/plain, or nothing, to be spared a preflight. */
const JSON_TYPE = /^(application\/json|text\/plain)\s*(;|$)/i;
const OTHER_CHARSET = /charset=(?!"?utf-?8)/i;

/**
 * Reads a body of JSON as SDKs send it: compressed under Content-Encoding or, with `gz=1`, without; with `se=1` as base64 in reverse.
 * Undefined where there is none.
 * @param limit the most bytes that it may have, as sent and as decoded
 * @param options.checksItems whether what cannot be kept as it is may be in it
 */
export async function readBody(
  request: IncomingMessage,
  query: URLSearchParams,
  limit: number,
  { checksItems }: { checksItems: boolean },
): Promise<unknown> {
  const sent = await readBytes(request, limit);
  if (sent.length === 0) return undefined;
  requireJson(request.headers["content-type"]);
  const encoding = (request.headers["content-encoding"] || "identity").toLowerCase();
  const coded = encoding === "identity" ? sent : await decompress(sent, encoding, limit);
  // What is said to be gzip is not always: some SDKs name it in the header too.
  const unzipped = query.get("gz") === "1" && isGzip(coded) ? await decompress(coded, "gzip", limit) : coded;
  return parse(query.get("se") === "1" ? reversedBase64(unzipped) : unzipped, checksItems);
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.once("end", () => {
      // Only now: who is still sending does not read an answer.
      if (size > limit) reject(tooLarge(limit));
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.once("close", () => reject(new AppError("invalid_request", "The body was broken off.")));
  });
}

function requireJson(type: string | undefined): void {
  if (type === undefined || (JSON_TYPE.test(type) && !OTHER_CHARSET.test(type))) return;
  throw new AppError("unsupported_media_type", "The body must be sent as application/json or text/plain, in UTF-8.");
}

function isGzip(data: Buffer): boolean {
  return data[0] === 0x1f && data[1] === 0x8b;
}

function reversedBase64(data: Buffer): Buffer {
  // In place: the characters of ten MiB, each a text of its own, would be gigabytes.
  const text = data.reverse().toString("latin1").trim();
  if (!/^[A-Za-z0-9+/]*=*$/.test(text)) throw notEncoded("base64 in reverse");
  return Buffer.from(text, "base64");
}

function parse(text: Buffer, checksItems: boolean): unknown {
  const isDoubtful = mayBeUnstorable(text);
  const body = parseJson(text);
  const refusal = isDoubtful && !checksItems ? refusalOfUnstorable(body) : undefined;
  if (refusal) throw refusal;
  return body;
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch (error) {
    throw notJson((error as Error).message);
  }
}

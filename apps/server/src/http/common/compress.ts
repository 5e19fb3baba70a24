import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "../../evaluation/rulesets/sendable.ts";
import { encodedTag } from "../../store/requests/entity-tag.ts";
import { preferredEncoding } from "./encoding.ts";

/** Smaller bodies are not compressed. */
export const MIN_COMPRESSED_BYTES = 4_096;

/**
 * The fastest level of each. It shrinks JSON to a tenth, and a higher level costs more CPU time than it saves in transfer. Brotli's fastest
 * level is faster than gzip's, and its results are smaller.
 */
export const COMPRESS: Record<Exclude<Encoding, "identity">, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify(gzip)(body, { level: 1 }),
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
};

/** Ends a response, and compresses its body if that is long and the caller accepts it. */
export function endCompressed(response: ServerResponse, body: string | Buffer): void {
  const length = Buffer.byteLength(body);
  if (length < MIN_COMPRESSED_BYTES) return void end(response, body, length);
  response.appendHeader("Vary", "Accept-Encoding");
  const encoding = preferredEncoding(response.req.headers["accept-encoding"]);
  if (encoding === "identity") return void end(response, body, length);
  const tag = response.getHeader("ETag");
  if (typeof tag === "string") response.setHeader("ETag", encodedTag(tag, encoding));
  response.setHeader("Content-Encoding", encoding);
  COMPRESS[encoding](typeof body === "string" ? Buffer.from(body) : body).then(
    (compressed) => end(response, compressed, compressed.length),
    (error: Error) => response.destroy(error),
  );
}

function end(response: ServerResponse, body: string | Buffer, length: number): void {
  response.setHeader("Content-Length", length);
  response.end(body);
}

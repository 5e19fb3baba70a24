import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Outlet } from "../../evaluation/outlet.ts";
import { namesTagWeakly } from "../../store/entity-tag.ts";
import { preferredEncoding } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";
import type { Result } from "./operation-table.ts";
import { createOutlet } from "./outlet.ts";

type Headers = Record<string, string | number>;

/** Bodies are no pages, and what a key was answered is for nobody else. */
const COMMON_HEADERS: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
  "Cache-Control": "private, no-cache",
  "Content-Security-Policy": "default-src 'none';frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
};
const JSON_TYPE = "application/json; charset=utf-8";
/** From how many bytes on it pays to compress a body that is made for one request. */
const MIN_COMPRESSED_BYTES = 4_096;
/**
 * As fast as either can: such bodies shrink to a tenth at once, and what more effort saves takes longer to make than to send. Brotli is the
 * faster of the two and the smaller.
 */
const COMPRESS: Record<"gzip" | "br", (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify(gzip)(body, { level: 1 }),
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
};

/** Sends what a handler answered, or 304 to a GET that holds it already. */
export async function sendResult({ request, response, requestID }: Exchange, result: Result): Promise<void> {
  const headers: Headers = { ...COMMON_HEADERS, "X-Request-Id": requestID, ...result.headers };
  if (result.status === 304 || isHeld(request, result.headers?.ETag)) return void response.writeHead(304, headers).end();
  if (result.body !== undefined) return sendBody({ request, response }, result.status, headers, Buffer.from(JSON.stringify(result.body)));
  if ("json" in result) return sendBody({ request, response }, result.status, headers, joined(result.json));
  if ("chunks" in result) {
    response.writeHead(result.status, { ...headers, "Content-Type": "text/plain; charset=utf-8", "Content-Length": result.length });
    return pipeline(result.chunks, response).catch(unlessLeft);
  }
  if ("stream" in result) return stream(response, headers, result.stream);
  if (!("sendable" in result)) return;
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding !== "identity") headers["Content-Encoding"] = encoding;
  headers.Vary = "Accept-Encoding";
  sendPieces(response, result.status, headers, await result.sendable.pieces(encoding));
}

async function sendBody({ request, response }: Pick<Exchange, "request" | "response">, status: number, headers: Headers, body: Buffer) {
  if (body.length < MIN_COMPRESSED_BYTES) return endWith(response, status, headers, body);
  headers.Vary = "Accept-Encoding";
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding === "identity") return endWith(response, status, headers, body);
  headers["Content-Encoding"] = encoding;
  // A strong tag is that of one encoding.
  if (typeof headers.ETag === "string") headers.ETag = headers.ETag.replace(/^"/, 'W/"');
  endWith(response, status, headers, await COMPRESS[encoding](body));
}

/** One piece goes out as it is: others may be copied only. */
function joined(pieces: Uint8Array[]): Buffer {
  const [first] = pieces;
  return first && pieces.length === 1 ? Buffer.from(first.buffer, first.byteOffset, first.byteLength) : Buffer.concat(pieces);
}

function endWith(response: ServerResponse, status: number, headers: Headers, body: Buffer): void {
  headers["Content-Type"] ??= JSON_TYPE;
  headers["Content-Length"] = body.length;
  response.writeHead(status, headers).end(body);
}

/** Without copying them into one. */
function sendPieces(response: ServerResponse, status: number, headers: Headers, pieces: readonly Buffer[]): void {
  headers["Content-Type"] ??= JSON_TYPE;
  headers["Content-Length"] = pieces.reduce((sum, { length }) => sum + length, 0);
  response.writeHead(status, headers);
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
  response.uncork();
}

/** Who leaves before the end is no fault of ours. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

function isHeld({ method, headers }: Exchange["request"], tag: string | undefined): boolean {
  const held = headers["if-none-match"];
  return tag !== undefined && held !== undefined && method === "GET" && namesTagWeakly(held, tag.replace("W/", ""));
}

function stream(response: ServerResponse, headers: Headers, start: (outlet: Outlet) => void): void {
  // Proxies that gather bodies would keep events to themselves.
  for (const [name, value] of Object.entries({ "X-Accel-Buffering": "no", "Content-Type": "text/event-stream", ...headers })) {
    response.setHeader(name, value);
  }
  response.flushHeaders();
  start(createOutlet(response));
}

import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { StreamWriter } from "../../evaluation/stream-writer.ts";
import { namesTagWeakly } from "../../store/requests/entity-tag.ts";
import { COMPRESS, MIN_COMPRESSED_BYTES } from "../common/compress.ts";
import { preferredEncoding } from "../common/encoding.ts";
import type { Exchange } from "./exchange.ts";
import type { Result } from "./operation-table.ts";
import { createStreamWriter } from "./stream-writer.ts";

type Headers = Record<string, string | number>;

/** Headers as a list of names and values, which Node writes as it is. */
type RawHeaders = (string | number)[];

/** Browsers must not render a body as a page. */
const COMMON_HEADERS: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
  "Content-Security-Policy": "default-src 'none';frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
};
const RAW_COMMON_HEADERS: RawHeaders = Object.entries(COMMON_HEADERS).flat();
/** Unless its headers say otherwise, shared caches must not store a response: it is for one key. */
const RAW_PRIVATE_HEADERS: RawHeaders = [...RAW_COMMON_HEADERS, "Cache-Control", "private, no-cache"];
const JSON_TYPE = "application/json; charset=utf-8";

/** Sends the handler's result, or 304 to a GET whose If-None-Match matches its ETag. */
export async function sendResult({ request, response, requestID }: Exchange, result: Result): Promise<void> {
  const headers: Headers = { "X-Request-Id": requestID };
  if (result.headers) Object.assign(headers, result.headers);
  if ("sendable" in result) headers.Vary = "Accept-Encoding";
  if (result.status === 304 || isNotModified(request, result.headers?.ETag)) return void response.writeHead(304, toRaw(headers)).end();
  if (result.body !== undefined) return sendBody({ request, response }, result.status, headers, Buffer.from(JSON.stringify(result.body)));
  if ("json" in result) return sendJsonPieces({ request, response }, result.status, headers, result.json);
  if ("chunks" in result) {
    Object.assign(headers, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": result.length });
    response.writeHead(result.status, toRaw(headers));
    return pipeline(result.chunks, response).catch(unlessLeft);
  }
  if ("stream" in result) return stream(response, headers, result.stream);
  if (!("sendable" in result)) return;
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding !== "identity") headers["Content-Encoding"] = encoding;
  sendPieces(response, result.status, headers, await result.sendable.pieces(encoding));
}

async function sendBody({ request, response }: Pick<Exchange, "request" | "response">, status: number, headers: Headers, body: Buffer) {
  if (body.length < MIN_COMPRESSED_BYTES) return endWith(response, status, headers, body);
  headers.Vary = "Accept-Encoding";
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding === "identity") return endWith(response, status, headers, body);
  headers["Content-Encoding"] = encoding;
  // A strong ETag identifies one encoding, so a compressed body needs a weak one.
  if (typeof headers.ETag === "string") headers.ETag = headers.ETag.replace(/^"/, 'W/"');
  endWith(response, status, headers, await COMPRESS[encoding](body));
}

/** Long bodies are not joined, unless they are compressed. */
async function sendJsonPieces(exchange: Pick<Exchange, "request" | "response">, status: number, headers: Headers, pieces: Uint8Array[]) {
  const isLong = pieces.length > 1 && byteLength(pieces) >= MIN_COMPRESSED_BYTES;
  if (!isLong || preferredEncoding(exchange.request.headers["accept-encoding"]) !== "identity") {
    return sendBody(exchange, status, headers, joined(pieces));
  }
  headers.Vary = "Accept-Encoding";
  sendPieces(exchange.response, status, headers, pieces);
}

/** Joins pieces. A single piece is not copied. */
function joined(pieces: Uint8Array[]): Buffer {
  const [first] = pieces;
  return first && pieces.length === 1 ? Buffer.from(first.buffer, first.byteOffset, first.byteLength) : Buffer.concat(pieces);
}

function endWith(response: ServerResponse, status: number, headers: Headers, body: Buffer): void {
  headers["Content-Type"] ??= JSON_TYPE;
  headers["Content-Length"] = body.length;
  response.writeHead(status, toRaw(headers)).end(body);
}

/** The common headers and those of the response. */
function toRaw(headers: Headers): RawHeaders {
  const raw = (headers["Cache-Control"] === undefined ? RAW_PRIVATE_HEADERS : RAW_COMMON_HEADERS).slice();
  for (const name in headers) raw.push(name, headers[name] as string | number);
  return raw;
}

/** Sends pieces without joining them. */
function sendPieces(response: ServerResponse, status: number, headers: Headers, pieces: readonly Uint8Array[]): void {
  headers["Content-Type"] ??= JSON_TYPE;
  headers["Content-Length"] = byteLength(pieces);
  response.writeHead(status, toRaw(headers));
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
  response.uncork();
}

function byteLength(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Ignores the error of a caller that closes the connection early. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

function isNotModified({ method, headers }: Exchange["request"], tag: string | undefined): boolean {
  const held = headers["if-none-match"];
  return tag !== undefined && held !== undefined && method === "GET" && namesTagWeakly(held, tag.replace("W/", ""));
}

function stream(response: ServerResponse, headers: Headers, start: (writer: StreamWriter) => void): void {
  // X-Accel-Buffering keeps proxies from buffering the events.
  const all = { ...COMMON_HEADERS, "X-Accel-Buffering": "no", "Content-Type": "text/event-stream", ...headers };
  for (const [name, value] of Object.entries(all)) {
    response.setHeader(name, value);
  }
  response.flushHeaders();
  start(createStreamWriter(response));
}

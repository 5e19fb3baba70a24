import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { namesTagWeakly } from "../../store/entity-tag.ts";
import { preferredEncoding } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";
import type { Result } from "./operation-table.ts";
import { createOutlet } from "./outlet.ts";

type Headers = Record<string, string | number>;

/** Bodies are no pages, and what a key was answered is for nobody else. */
const COMMON: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
  "Cache-Control": "private, no-cache",
  "Content-Security-Policy": "default-src 'none';frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
};
const JSON_TYPE = "application/json; charset=utf-8";
/** From how many characters on it pays to compress a body that is made for one request, and how hard: such bodies shrink to a tenth at once. */
const WORTH_COMPRESSING = 4_096;
const GZIP_LEVEL = 1;

/** Sends what a handler answered, or 304 to a GET that holds it already. */
export async function sendResult({ request, response, requestID }: Exchange, result: Result): Promise<void> {
  const headers: Headers = { ...COMMON, "X-Request-Id": requestID, ...result.headers };
  if (result.status === 304 || isHeld(request, result.headers?.ETag)) return void response.writeHead(304, headers).end();
  if (result.body !== undefined) return sendBody({ request, response }, result.status, headers, JSON.stringify(result.body));
  if ("chunks" in result) {
    response.writeHead(result.status, { ...headers, "Content-Type": "text/plain; charset=utf-8", "Content-Length": result.length });
    return pipeline(result.chunks, response).catch(unlessLeft);
  }
  if ("stream" in result) return stream(response, headers, result.stream);
  if (!("sendable" in result)) return;
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding !== "identity") headers["Content-Encoding"] = encoding;
  headers.Vary = "Accept-Encoding";
  endWith(response, result.status, headers, JSON_TYPE, await result.sendable.bytes(encoding));
}

async function sendBody({ request, response }: Pick<Exchange, "request" | "response">, status: number, headers: Headers, text: string) {
  if (text.length < WORTH_COMPRESSING) return endWith(response, status, headers, JSON_TYPE, text);
  headers.Vary = "Accept-Encoding";
  if (preferredEncoding(request.headers["accept-encoding"], ["gzip"]) === "identity")
    return endWith(response, status, headers, JSON_TYPE, text);
  headers["Content-Encoding"] = "gzip";
  // A strong tag is that of one encoding.
  if (typeof headers.ETag === "string") headers.ETag = headers.ETag.replace(/^"/, 'W/"');
  endWith(response, status, headers, JSON_TYPE, await promisify(gzip)(text, { level: GZIP_LEVEL }));
}

function endWith(response: ServerResponse, status: number, headers: Headers, type: string, body: string | Buffer): void {
  headers["Content-Type"] ??= type;
  headers["Content-Length"] = Buffer.byteLength(body);
  response.writeHead(status, headers).end(body);
}

/** Who leaves before the end is no fault of ours. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

function isHeld({ method, headers }: Exchange["request"], tag: string | undefined): boolean {
  const held = headers["if-none-match"];
  return tag !== undefined && held !== undefined && method === "GET" && namesTagWeakly(held, tag.replace("W/", ""));
}

function stream(response: ServerResponse, headers: Headers, start: (outlet: ReturnType<typeof createOutlet>) => void): void {
  // Proxies that gather bodies would keep events to themselves.
  for (const [name, value] of Object.entries({ "X-Accel-Buffering": "no", "Content-Type": "text/event-stream", ...headers })) {
    response.setHeader(name, value);
  }
  response.flushHeaders();
  start(createOutlet(response));
}

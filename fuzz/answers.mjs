// Parses the server's bytes into HTTP responses with decoded bodies.
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync };

/** A response for the checks: `{ status, headers, text }`. @param data its body without the transfer encoding */
export function toAnswer(status, headers, data) {
  const decode = DECODERS[headers["content-encoding"]];
  return { status, headers, text: (decode && data.length > 0 ? decode(data) : data).toString() };
}

/** An event stream does not end, so no response follows it on its connection. */
export const isStream = ({ headers }) => headers["content-type"]?.startsWith("text/event-stream") === true;

/** The complete responses at the start of the received bytes. Omits interim responses. */
export function parseAnswers(received) {
  const answers = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return answers;
    const [first, ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(first.split(" ")[1]);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const body = bodyAt(rest.subarray(end + 4), status, headers);
    if (body === undefined) return answers;
    if (status >= 200) answers.push(toAnswer(status, headers, body.data));
    rest = rest.subarray(end + 4 + body.length);
  }
}

/** @returns the body's data, and its length on the wire; undefined while it is incomplete */
function bodyAt(rest, status, headers) {
  if (status < 200 || status === 204 || status === 304) return { data: rest.subarray(0, 0), length: 0 };
  if (isStream({ headers })) return { data: rest, length: rest.length };
  if (headers["transfer-encoding"] === "chunked") return unchunked(rest);
  const length = Number(headers["content-length"] ?? 0);
  return rest.length < length ? undefined : { data: rest.subarray(0, length), length };
}

/** Source: RFC 9112, section 7.1. The server sends no trailers. */
function unchunked(rest) {
  const parts = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    const start = lineEnd + 2;
    at = start + size + 2;
    if (rest.length < at) return undefined;
    if (size === 0) return { data: Buffer.concat(parts), length: at };
    parts.push(rest.subarray(start, start + size));
  }
}

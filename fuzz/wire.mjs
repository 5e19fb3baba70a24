// HTTP over a raw socket, for requests that Node's HTTP client would not send.
import { connect } from "node:net";
import { isStream, parseAnswers } from "./answers.mjs";

const RAW_TIMEOUT_MS = 60_000;
const PAUSE_MS = 5;

/** The bytes of each request. `answers`: the minimum number of responses; if 0, the server may also close the connection. `ends`: the caller closes first. */
const WIRES = {
  plain: ({ head, body }) => ({ parts: [head(), body], answers: 1 }),
  chunked: (message) => ({ parts: [message.chunkedHead(), chunks(message.body, 7), "0\r\n\r\n"], answers: 1 }),
  "chunked-extensions": (message) => ({ parts: [message.chunkedHead(), chunks(message.body, 5, ';a=b;c="d"'), "0;x\r\n\r\n"], answers: 0 }),
  "chunked-trailers": (message) => ({ parts: [message.chunkedHead(), chunks(message.body, 99), "0\r\nX-A: b\r\n\r\n"], answers: 1 }),
  "chunked-cut": (message) => ({ parts: [message.chunkedHead(), "ff\r\n{"], answers: 0, ends: true }),
  "chunked-bad-size": (message) => ({ parts: [message.chunkedHead(), "zz\r\n{}\r\n0\r\n\r\n"], answers: 0 }),
  "chunked-huge-size": (message) => ({ parts: [message.chunkedHead(), "ffffffffffffffffff\r\n{}"], answers: 0, ends: true }),
  "length-too-long": ({ head, body }) => ({ parts: [head({ length: body.length + 10 }), body], answers: 0, ends: true }),
  "length-too-short": ({ head, body }) => ({ parts: [head({ length: Math.max(0, body.length - 3) }), body], answers: 0, ends: true }),
  "length-twice": ({ head, body }) => ({ parts: [head({ extra: [["Content-Length", "1"]] }), body], answers: 0 }),
  "length-negative": ({ head, body }) => ({ parts: [head({ length: -1 }), body], answers: 0 }),
  "length-and-chunked": ({ head, body }) => ({
    parts: [head({ extra: [["Transfer-Encoding", "chunked"]] }), chunks(body, 9), "0\r\n\r\n"],
    answers: 0,
  }),
  "body-cut": ({ head, body }) => ({
    parts: [head({ length: body.length + 1 }), body.subarray(0, body.length / 2)],
    answers: 0,
    ends: true,
  }),
  "headers-cut": ({ head }) => ({ parts: [head().slice(0, -20)], answers: 0, ends: true }),
  pipelined: ({ head, body }) => ({
    parts: [
      Buffer.concat(
        Array(3)
          .fill([Buffer.from(head()), body])
          .flat(),
      ),
    ],
    answers: 3,
  }),
  "slow-body": ({ head, body }) => ({ parts: [head(), body.subarray(0, 1), body.subarray(1)], answers: 1 }),
  "lower-case-method": ({ head, body, method }) => ({ parts: [head({ line: method.toLowerCase() }), body], answers: 0 }),
  "unknown-method": ({ head, body }) => ({ parts: [head({ line: "FLY" }), body], answers: 0 }),
  trace: ({ head }) => ({ parts: [head({ line: "TRACE", length: 0 })], answers: 1 }),
  connect: ({ head }) => ({ parts: [head({ line: "CONNECT", length: 0 })], answers: 0, ends: true }),
  upgrade: ({ head, body }) => ({
    parts: [
      head({
        extra: [
          ["Connection", "Upgrade"],
          ["Upgrade", "websocket"],
        ],
      }),
      body,
    ],
    answers: 1,
  }),
  http10: ({ head, body }) => ({ parts: [head({ version: "HTTP/1.0" }), body], answers: 1 }),
  http09: ({ target }) => ({ parts: [`GET ${target}\r\n\r\n`], answers: 0, ends: true }),
  http2: () => ({ parts: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], answers: 0, ends: true }),
  "no-host": ({ head, body }) => ({ parts: [head({ host: undefined }), body], answers: 1 }),
  "two-hosts": ({ head, body }) => ({ parts: [head({ extra: [["Host", "evil.example"]] }), body], answers: 0 }),
  "absolute-form": ({ head, body, target }) => ({ parts: [head({ target: `http://evil.example${target}` }), body], answers: 1 }),
  "asterisk-form": ({ head, body }) => ({ parts: [head({ target: "*" }), body], answers: 1 }),
  "raw-path-bytes": ({ head, body, target }) => ({
    parts: [Buffer.from(head({ target: `${target}\xff\xfe` }), "latin1"), body],
    answers: 0,
  }),
  "space-in-path": ({ head, body, target }) => ({ parts: [head({ target: `${target} x` }), body], answers: 0 }),
  "huge-header": ({ head, body }) => ({ parts: [head({ extra: [["X-Long", "x".repeat(20_000)]] }), body], answers: 0 }),
  "many-headers": ({ head, body }) => ({
    parts: [head({ extra: Array.from({ length: 1_500 }, (_, index) => [`a${index}`, "b"]) }), body],
    answers: 0,
  }),
  "folded-header": ({ head, body }) => ({ parts: [head({ extra: [["X-A", "b\r\n c"]] }), body], answers: 0 }),
  "bare-lf": ({ head, body }) => ({ parts: [head().replaceAll("\r\n", "\n"), body], answers: 0, ends: true }),
  "nul-in-header": ({ head, body }) => ({ parts: [head({ extra: [["X-A", "b\u0000c"]] }), body], answers: 0 }),
  "bad-header-name": ({ head, body }) => ({ parts: [head({ extra: [["X A", "b"]] }), body], answers: 0 }),
  "te-unknown": ({ head, body }) => ({
    parts: [head({ length: undefined, extra: [["Transfer-Encoding", "gzip"]] }), body],
    answers: 0,
    ends: true,
  }),
  "expect-unknown": ({ head, body }) => ({ parts: [head({ extra: [["Expect", "200-ok"]] }), body], answers: 1 }),
  "expect-continue": ({ head, body }) => ({ parts: [head({ extra: [["Expect", "100-continue"]] }), body], answers: 1 }),
  "key-twice": ({ head, body }) => ({
    parts: [
      head({
        extra: [
          ["SERVICE-API-KEY", "console-of-somebody-else"],
          ["Authorization", "Bearer x"],
        ],
      }),
      body,
    ],
    answers: 1,
  }),
  garbage: () => ({ parts: [Buffer.from([0, 255, 1, 13, 10, 13, 10])], answers: 0, ends: true }),
  "tls-hello": () => ({ parts: [Buffer.from("16030100c8010000c40303", "hex")], answers: 0, ends: true }),
  fragment: ({ head, body, target }) => ({ parts: [head({ target: `${target}#fragment` }), body], answers: 0 }),
};

/** @returns `{ answers }` or `{ failure }`, as `send` */
export async function exchangeRaw(url, request, kind) {
  const message = buildMessage(url, request);
  const { parts, answers: due, ends = false } = WIRES[kind](message);
  const isDone = (answers) => answers.length >= Math.max(due, 1) || answers.some(isStream);
  const { data, timedOut } = await converse(url, parts, { ends, isDone: (received) => isDone(parseAnswers(received)) });
  const answers = parseAnswers(data);
  if (timedOut) return { failure: `no end within ${RAW_TIMEOUT_MS} ms (${kind})` };
  if (due > 0 && !isDone(answers)) return { failure: `${answers.length} of ${due} answers (${kind})` };
  return { answers, isBroken: due === 0 };
}

function buildMessage(url, { method, target, headers, body = Buffer.alloc(0) }) {
  const hosts = new URL(url).host;
  const head = (options = {}) => {
    const { line = method, version = "HTTP/1.1", extra = [], target: aim = target } = options;
    const length = "length" in options ? options.length : body.length;
    const host = "host" in options ? options.host : hosts;
    const all = [["Host", host], ...headers, ["Content-Length", length], ...extra].filter(([, value]) => value !== undefined);
    return `${line} ${aim} ${version}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  };
  const chunkedHead = () => head({ length: undefined, extra: [["Transfer-Encoding", "chunked"]] });
  return { method, target, body, head, chunkedHead };
}

function chunks(body, size, extension = "") {
  const parts = [];
  for (let start = 0; start < body.length; start += size) {
    const part = body.subarray(start, start + size);
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat(parts);
}

/** Writes the parts in order, and reads until all responses have arrived or the server closes. */
function converse(url, parts, { ends, isDone }) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let data = Buffer.alloc(0);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const finish = (timedOut) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ data, timedOut });
    };
    const timer = setTimeout(finish, RAW_TIMEOUT_MS, true);
    socket.on("error", () => finish(false)).once("end", () => finish(false));
    socket.on("data", (chunk) => {
      data = Buffer.concat([data, chunk]);
      if (isDone(data)) finish(false);
    });
    socket.once("connect", async () => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(typeof part === "string" ? Buffer.from(part, "latin1") : part);
        if (parts.length > 2) await new Promise((resume) => setTimeout(resume, PAUSE_MS));
      }
      if (ends) socket.end();
    });
  });
}

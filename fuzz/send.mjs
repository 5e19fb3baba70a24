// Turns a plan into a request, sends it, and reads the response.
import { Agent, request as httpRequest } from "node:http";
import { toAnswer } from "./answers.mjs";
import { encode } from "./encode.mjs";
import { toJSON } from "./json.mjs";
import { largeBody } from "./large-bodies.mjs";
import { exchangeRaw } from "./wire.mjs";

/** The timeout of a response, ms. */
const ANSWER_TIMEOUT_MS = 60_000;
const STREAM_EXTRACT_MS = 100;
const PLAIN = new Set(["GET", "HEAD", "OPTIONS"]);

export const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Prepares a request: `{ method, target, headers, body, decodedBytes }`. */
export function prepare(plan, world) {
  const find = (reference) => world.find(reference, plan);
  const text = toBody(plan, find);
  const { data, headers, query } = text === undefined ? { headers: [], query: [] } : encode(plan.coding, text);
  const pairs = [...plan.query, ...query];
  const given = plan.headers.map(([name, value]) => [name, typeof value === "string" ? value : find(value)]);
  const key = keyPlace(plan, world.keys[plan.key]);
  const type = text === undefined || given.some(([name]) => name === "Content-Type") ? [] : [["Content-Type", "application/json"]];
  const searched = [...pairs, ...key.query].map((pair) => pair.map(percentEncoded).join("=")).join("&");
  const path = buildPath(plan, find);
  return {
    method: plan.method,
    target: searched === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${searched}`,
    headers: [...key.headers, ...type, ...headers, ...given].filter(([, value]) => value !== undefined),
    body: data,
    decodedBytes: text?.length ?? 0,
  };
}

function toBody(plan, find) {
  if (plan.large !== undefined) return largeBody(plan.large);
  if (plan.raw !== undefined) return Buffer.isBuffer(plan.raw) ? plan.raw : Buffer.from(plan.raw);
  return plan.body === undefined ? undefined : Buffer.from(toJSON(plan.body, find));
}

function buildPath({ url, path, params }, find) {
  if (typeof url === "string") return url;
  if (url !== undefined) return find(url) ?? "/v1/id_lists/none/none?token=none";
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = params[name];
    return percentEncoded(typeof value === "string" ? value : (find(value) ?? "absent"));
  });
}

/** Like `encodeURIComponent`, but accepts lone surrogates. */
function percentEncoded(text) {
  return String(text).isWellFormed?.() === false
    ? [...Buffer.from(text, "utf16le")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
    : encodeURIComponent(text);
}

function keyPlace({ key, keyPlace = "usual", path }, secret) {
  if (key === "none" || secret === undefined) return { headers: [], query: [] };
  if (keyPlace === "query") return { headers: [], query: [["k", secret]] };
  const usual = path.startsWith("/console/") ? "SERVICE-API-KEY" : path.startsWith("/ofrep/") ? "Authorization" : "STATSIG-API-KEY";
  const name = keyPlace === "usual" ? usual : keyPlace;
  return { headers: [[name, name === "Authorization" ? `Bearer ${secret}` : secret]], query: [] };
}

/** Sends a prepared request. @returns `{ answers }`, each `{ status, headers, text }`, or `{ failure }` where the connection ended without one */
export async function send(url, prepared, { wire }) {
  if (wire.kind !== "plain" || !isSendable(prepared)) return exchangeRaw(url, prepared, wire.kind);
  for (;;) {
    const outcome = await exchange(url, prepared);
    // The server may close an idle connection while the client writes a request to it.
    if (outcome.failure === undefined || !outcome.reused) return outcome;
  }
}

/** Whether Node's HTTP client can send the request. */
function isSendable({ target, headers }) {
  return !/[^\x21-\x7e]/.test(target) && headers.every(([name, value]) => name !== "Expect" && !/[^\t\x20-\x7e\x80-\xff]/.test(value));
}

function exchange(url, { method, target, headers, body }) {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? (PLAIN.has(method) ? {} : { "Content-Length": 0 }) : { "Content-Length": body.length };
    const outgoing = httpRequest({ agent, hostname, port, method, path: target, headers: { ...length, ...Object.fromEntries(headers) } });
    const fail = (error) => resolve({ failure: error.message, reused: outgoing.reusedSocket });
    outgoing.setTimeout(ANSWER_TIMEOUT_MS, () => outgoing.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)));
    outgoing.once("error", fail);
    outgoing.once("response", (incoming) => {
      const chunks = [];
      const finish = () => resolve({ answers: [toAnswer(incoming.statusCode, incoming.headers, Buffer.concat(chunks))] });
      incoming.on("data", (chunk) => chunks.push(chunk));
      incoming.once("error", fail);
      incoming.once("end", finish);
      if (incoming.headers["content-type"]?.startsWith("text/event-stream")) endStream(incoming, finish);
    });
    outgoing.end(body);
  });
}

/** An event stream does not end by itself, so its first chunk counts as the response. */
function endStream(incoming, finish) {
  setTimeout(() => {
    finish();
    incoming.removeAllListeners("error").on("error", () => {});
    incoming.destroy();
  }, STREAM_EXTRACT_MS);
}

/** The request as a curl command. */
export function toCurl(url, { method, target, headers, body }) {
  const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
  const given = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const line = ["curl -i --path-as-is -X", method, quoted(url + target), ...given].join(" ");
  if (body === undefined) return line;
  const isText = body.length < 4_000 && Buffer.from(body.toString()).equals(body) && !body.includes(0);
  const shown = body.subarray(0, 4_000).toString("base64");
  return isText
    ? `${line} --data-binary ${quoted(body)}`
    : `echo ${shown} | base64 -d | ${line} --data-binary @-   # ${body.length} bytes in all`;
}

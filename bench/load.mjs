// One load on one server, in a separate process: `node load.mjs '{"url", "seconds", "kind", "key", "run", "rate"?, "encoding"?}'`, the
// result as JSON on stdout.
import { randomUUID } from "node:crypto";
import autocannon from "autocannon";
import { EVENTS_PER_BATCH, newGate, STORED, USERS, update } from "./gates.mjs";
import { steadyLoad } from "./steady.mjs";

const CONNECTIONS = 16;
const { url, seconds, kind, key, run, rate, encoding } = JSON.parse(process.argv[2]);
let count = 0;
const headers = { "SERVICE-API-KEY": key, "Content-Type": "application/json", ...(encoding && { "Accept-Encoding": encoding }) };

const requests = {
  get: { method: "GET", setupRequest: (request) => ({ ...request, path: `${base()}/gate_${count++ % STORED}` }) },
  list: { method: "GET", path: `${base()}` },
  update: {
    method: "POST",
    body: JSON.stringify(update),
    setupRequest: (request) => ({ ...request, path: `${base()}/gate_${count++ % STORED}` }),
  },
  patch: {
    method: "PATCH",
    setupRequest: (request) => ({
      ...request,
      path: `${base()}/gate_${count % STORED}`,
      body: `{"isEnabled":${Math.floor(count++ / STORED) % 2 === 1},"description":"Changed by the benchmark in ${run}."}`,
    }),
  },
  updateWithKey: {
    method: "POST",
    body: JSON.stringify(update),
    setupRequest: (request) => ({
      ...request,
      path: `${base()}/gate_${count++ % STORED}`,
      headers: { ...headers, "Idempotency-Key": randomUUID() },
    }),
  },
  create: {
    method: "POST",
    path: base(),
    setupRequest: (request) => ({ ...request, body: JSON.stringify(newGate(`g-${run}-${count++}`)) }),
  },
  evaluate: {
    method: "POST",
    setupRequest: (request) => ({
      ...request,
      path: `/ofrep/v1/evaluate/flags/gate_${count++ % STORED}`,
      body: `{"context":{"targetingKey":"user-${count % USERS}","email":"user-${count % USERS}@example.com","country":"CH","plan":"pro"}}`,
    }),
  },
  unchanged: { method: "GET", path: `/v1/download_config_specs?sinceTime=${kind === "unchanged" ? await readRulesetTime() : 0}` },
  initialize: {
    method: "POST",
    path: "/v1/initialize",
    setupRequest: (request) => ({
      ...request,
      body: `{"user":{"userID":"user-${count++}","email":"user-${count}@example.com","country":"CH"},"hash":"djb2"}`,
    }),
  },
  evaluateAll: {
    method: "POST",
    path: "/ofrep/v1/evaluate/flags",
    setupRequest: (request) => ({
      ...request,
      body: `{"context":{"targetingKey":"user-${count++}","email":"user-${count}@example.com","country":"CH"}}`,
    }),
  },
  logEvents: { method: "POST", path: "/v1/log_event", setupRequest: (request) => ({ ...request, body: newBatch(EVENTS_PER_BATCH) }) },
  logEvent: { method: "POST", path: "/v1/log_event", setupRequest: (request) => ({ ...request, body: newBatch(1) }) },
};

process.stdout.write(JSON.stringify(await (rate === undefined ? highestLoad() : steadyLoad({ url, headers, next, seconds, rate }))));

/** The highest rate with a number of callers. Each waits for a response before the next request. */
async function highestLoad() {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers, requests: [requests[kind]] });
  const { p50, p99 } = result.latency;
  const { total } = result.requests;
  return { rate: total / result.duration, count: total, p50, p99, failed: result.non2xx + result.errors };
}

function next() {
  const { setupRequest = (request) => request, ...request } = requests[kind];
  return setupRequest(request);
}

/** A unique batch as an SDK sends it. */
function newBatch(size) {
  const events = Array.from({ length: size }, (_, index) => {
    const user = `{"userID":"user-${(count * 31 + index) % USERS}","custom":{"plan":"pro"},"statsigEnvironment":{"tier":"production"}}`;
    return `{"eventName":"purchase","user":${user},"value":${index},"metadata":{"order":"${run}-${count}-${index}"},"time":${Date.now()}}`;
  });
  count += 1;
  return `{"events":[${events.join()}],"statsigMetadata":{"sdkType":"statsig-node","sdkVersion":"6.5.2"}}`;
}

/** The time of the server's ruleset. A server without rulesets gets the same requests. */
async function readRulesetTime() {
  const response = await fetch(new URL("/v1/download_config_specs", url), { headers });
  return response.ok ? ((await response.json()).time ?? 0) : 0;
}

function base() {
  return new URL(url).pathname;
}

// One load on one server, in a process of its own: `node load.mjs '{"url", "seconds", "kind", "key"}'`, the result as JSON on stdout.
import { randomUUID } from "node:crypto";
import autocannon from "autocannon";
import { newGate, STORED, update } from "./gates.mjs";

const CONNECTIONS = 16;
const { url, seconds, kind, key, run } = JSON.parse(process.argv[2]);
let count = 0;
const headers = { "SERVICE-API-KEY": key, "Content-Type": "application/json" };

const requests = {
  get: { method: "GET", setupRequest: (request) => ({ ...request, path: `${base()}/gate_${count++ % STORED}` }) },
  list: { method: "GET", path: `${base()}` },
  update: {
    method: "POST",
    body: JSON.stringify(update),
    setupRequest: (request) => ({ ...request, path: `${base()}/gate_${count++ % STORED}` }),
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
};

const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers, requests: [requests[kind]] });
const { p50, p99 } = result.latency;
process.stdout.write(JSON.stringify({ rate: result.requests.total / result.duration, p50, p99, failed: result.non2xx + result.errors }));

function base() {
  return new URL(url).pathname;
}

// All flags for one user, compared with a bare endpoint that parses the same body and sends the same bytes, compressed each time if the
// caller
// accepts that. Runs with the stated number of gates.
import { STORED } from "./gates.mjs";
import { load, median, ROUNDS, SECONDS } from "./measure.mjs";
import { KEY, urls } from "./servers.mjs";
import { cpuSeconds, residentMemory } from "./system.mjs";

const MEASURES = [
  { title: "initialize", kind: "initialize", target: 0.35 },
  { title: "initialize, gzip", kind: "initialize", encoding: "gzip", target: 0.5 },
  { title: "initialize, brotli", kind: "initialize", encoding: "br", target: 0.5 },
  { title: "OFREP, all flags", kind: "evaluateAll", target: 0.35 },
  { title: "OFREP, all flags, gzip", kind: "evaluateAll", encoding: "gzip", target: 0.5 },
  { title: "OFREP, all flags, brotli", kind: "evaluateAll", encoding: "br", target: 0.5 },
];
const REQUESTS = {
  initialize: { path: "/v1/initialize", body: { user: { userID: "user-1", email: "user-1@example.com", country: "CH" }, hash: "djb2" } },
  evaluateAll: {
    path: "/ofrep/v1/evaluate/flags",
    body: { context: { targetingKey: "user-1", email: "user-1@example.com", country: "CH" } },
  },
};

/**
 * @param print tells a title, a value and its target
 * @param pids of both servers, by name
 */
export async function measureAllFlags(print, pids) {
  for (const { title, kind, encoding, target } of MEASURES) {
    const bytes = await giveAnswer(kind, encoding);
    const { rate, ratio, cpu, cpuRatio } = await compare(kind, encoding, pids);
    const size = `${(bytes / 1000).toFixed(0)} kB`;
    print(`${title}, ${STORED} gates, ${size} (${rate.toFixed(0)}/s), of a bare endpoint`, ratio.toFixed(2), `≥ ${target.toFixed(2)}`);
    print(`  CPU of a request ${cpu.toFixed(0)} µs, that of the bare endpoint, of it`, cpuRatio.toFixed(2), `≥ ${target.toFixed(2)}`);
  }
  print("resident memory after these loads", `${residentMemory(pids.gatehouse)} MB`, "≤ 300 MB");
}

/** Makes Gatehouse's response that of the bare endpoint. @returns the length of the response as it is sent */
async function giveAnswer(kind, encoding) {
  const { path, body } = REQUESTS[kind];
  const headers = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };
  const ask = (accepted) =>
    fetch(new URL(path, urls.gatehouse), {
      method: "POST",
      headers: { ...headers, "Accept-Encoding": accepted },
      body: JSON.stringify(body),
    });
  const answer = await (await ask("identity")).arrayBuffer();
  await fetch(new URL(path, urls.bare), { method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: answer });
  return Number((await ask(encoding ?? "identity")).headers.get("Content-Length"));
}

/** Measures both servers in turns, so that a change of the machine's speed affects both. */
async function compare(kind, encoding, pids) {
  for (const name of ["bare", "gatehouse"]) await load(name, kind, 2, undefined, encoding);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await timed("bare", kind, encoding, pids);
    const gatehouse = await timed("gatehouse", kind, encoding, pids);
    rounds.push({ rate: gatehouse.rate, ratio: gatehouse.rate / bare.rate, cpu: gatehouse.cpu, cpuRatio: bare.cpu / gatehouse.cpu });
  }
  const figures = ["rate", "ratio", "cpu", "cpuRatio"].map((figure) => [figure, median(rounds, figure)[figure]]);
  return Object.fromEntries(figures);
}

/** @returns { rate: requests per second, cpu: µs of CPU time per request } */
async function timed(name, kind, encoding, pids) {
  const before = cpuSeconds(pids[name]);
  const { rate, count } = await load(name, kind, SECONDS, undefined, encoding);
  return { rate, cpu: ((cpuSeconds(pids[name]) - before) * 1e6) / count };
}

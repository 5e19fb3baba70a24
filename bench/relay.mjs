// Streams behind one relay: what they cost, and how long a change takes to reach all of them.
// `node ../scripts/with-postgres.mjs node relay.mjs 10000`. Each stream is a file for both processes: see `ulimit -n`.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../scripts/postgres.mjs";
import { KEY, root, start } from "./servers.mjs";
import { openStreams } from "./streams.mjs";
import { cpuSeconds, residentMemory } from "./system.mjs";

const COUNT = Number(process.argv[2] ?? 10_000);
const FLIPS = 5;

const post = (path, body) => call("POST", path, body);
const patch = (path, body) => call("PATCH", path, body);
const origin = await start("gatehouse");
const relay = await startRelay();
try {
  await measure();
} finally {
  relay.child.kill();
  await origin.stop();
}
process.exit(0);

async function measure() {
  const { key } = await post("/keys", { type: "CLIENT", description: "" });
  const gate = await post("/gates", { name: "flipped" });
  const requestUri = await poll(async () => (await flags(key)).eventStreams[0].endpoint.requestUri);
  const [idle, cpuBefore, startedAt] = [residentMemory(relay.child.pid), cpuSeconds(relay.child.pid), performance.now()];
  const streams = await openStreams(relay.port, requestUri, COUNT);
  print("streams open", `${streams.count()}`);
  print("time to open them", `${seconds(startedAt)} s, ${(cpuSeconds(relay.child.pid) - cpuBefore).toFixed(1)} s of the relay's CPU`);
  await sleep(2_000);
  const open = residentMemory(relay.child.pid);
  print("memory of the relay", `${idle} MB before, ${open} MB with streams: ${(((open - idle) * 1_024) / COUNT).toFixed(1)} KiB a stream`);
  print("streams at the origin", await metric(root.replace("/console/v1", ""), "gatehouse_flag_streams"));
  for (let flip = 1; flip <= FLIPS; flip += 1) {
    const [cpu, originCpu, at] = [cpuSeconds(relay.child.pid), cpuSeconds(origin.pid), performance.now()];
    const notified = streams.untilNotified();
    await patch(`/gates/${gate.id}`, { isEnabled: flip % 2 === 0, description: `flip ${flip}` });
    const { firstMs, lastMs } = await notified(at);
    const used = `${(cpuSeconds(relay.child.pid) - cpu).toFixed(2)} s of the relay's CPU, ${(cpuSeconds(origin.pid) - originCpu).toFixed(2)} s of the origin's`;
    print(`change ${flip}`, `first stream after ${firstMs.toFixed(0)} ms, last after ${lastMs.toFixed(0)} ms; ${used}`);
    await sleep(1_000);
  }
  const [idleCpu, since] = [cpuSeconds(relay.child.pid), performance.now()];
  await sleep(20_000);
  print(
    "CPU of the relay without changes",
    `${(((cpuSeconds(relay.child.pid) - idleCpu) / Number(seconds(since))) * 100).toFixed(1)}% of a core`,
  );
  streams.close();
}

async function startRelay() {
  const { key } = await post("/keys", { type: "SERVER", description: "relay" });
  const port = await freePort();
  const main = fileURLToPath(new URL("relay/main.js", import.meta.resolve("@gatehouse/server/main")));
  const env = { GATEHOUSE_RELAY_ORIGIN: root.replace("/console/v1", ""), GATEHOUSE_RELAY_KEY: key, PORT: String(port), LOG_LEVEL: "warn" };
  const child = spawn(process.execPath, [main, "relay"], { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
  process.once("exit", () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  await poll(async () => {
    if (!(await fetch(`${url}/readyz`)).ok) throw new Error("The relay is not ready.");
  });
  return { child, url, port };
}

async function flags(key) {
  const body = JSON.stringify({ context: { targetingKey: "alice" } });
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  return (await fetch(`${relay.url}/ofrep/v1/evaluate/flags`, { method: "POST", headers, body })).json();
}

async function metric(url, name) {
  return (await (await fetch(`${url}/metrics`)).text()).match(new RegExp(`^${name} (.+)$`, "m"))?.[1];
}

async function call(method, path, body) {
  const headers = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };
  const response = await fetch(`${root}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status}: ${await response.text()}`);
  return (await response.json()).data;
}

async function poll(attempt) {
  for (let left = 100; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}

function seconds(since) {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

function print(title, value) {
  process.stdout.write(`${title.padEnd(36)}${value}\n`);
}

// How long the sample project takes to load, from the request until its results are there, on Postgres and on the embedded database.
// `node ../scripts/with-postgres.mjs node sample-project.mjs`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ADMINISTRATOR, embeddedFolder, startIdle, urls } from "./servers.mjs";
import { cpuSeconds } from "./system.mjs";

const POLL_MS = 50;
const TARGET_S = 10;
const NAMES = { gatehouse: "Postgres", embedded: "the embedded database" };

embeddedFolder.path = await mkdtemp(join(tmpdir(), "gatehouse-sample-"));
for (const [name, title] of Object.entries(NAMES)) {
  const server = await startIdle(name);
  const send = await signIn(name);
  const cpu = cpuSeconds(server.pid);
  const begin = performance.now();
  const seconds = () => ((performance.now() - begin) / 1_000).toFixed(1);
  await send("POST", "/sample_project");
  let events;
  let sample;
  do {
    await sleep(POLL_MS);
    sample = await send("GET", "/sample_project");
    if (sample.loadedDays === sample.days) events ??= seconds();
  } while (sample.state !== "ready");
  const used = (cpuSeconds(server.pid) - cpu).toFixed(1);
  process.stdout.write(`sample project on ${title}: ${seconds()} s (≤ ${TARGET_S} s), events after ${events} s, ${used} s of CPU\n`);
  await server.stop();
}
await rm(embeddedFolder.path, { recursive: true });

async function signIn(name) {
  const root = urls[name].slice(0, -"/gates".length);
  const { origin } = new URL(root);
  const body = JSON.stringify(ADMINISTRATOR);
  const answer = await fetch(`${root}/session`, { method: "POST", headers: { "Content-Type": "application/json", origin }, body });
  if (!answer.ok) throw new Error(`The administrator cannot sign in: ${answer.status}.`);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return async (method, path) => {
    const response = await fetch(`${root}${path}`, { method, headers: { origin, cookie } });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()).data;
  };
}

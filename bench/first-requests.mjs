// The first request of each kind after a start, to a server whose project applications have used before. Requests begin when the start is
// complete: when the server has used almost no CPU for half a second.
import document from "@gatehouse/contract/console.json" with { type: "json" };
import { STORED, update } from "./gates.mjs";
import { call, KEY, root, startIdle } from "./servers.mjs";

const TARGET_MS = 50;
const MAX_SHOWN = 8;
const METHODS = ["post", "get", "patch", "put", "delete"];

const BY_THE_CONSOLE = {
  get: ["GET", "/console/v1/gates/gate_0"],
  list: ["GET", "/console/v1/gates"],
  update: ["POST", "/console/v1/gates/gate_1", update],
  create: ["POST", "/console/v1/gates", { name: "first of all" }],
};
const BY_APPLICATIONS = {
  evaluate: ["POST", "/ofrep/v1/evaluate/flags/gate_0", { context: { targetingKey: "user-1" } }],
  specs: ["GET", "/v2/download_config_specs"],
  initialize: ["POST", "/v1/initialize", { user: { userID: "user-1" } }],
  logEvents: ["POST", "/v1/log_event", { events: [{ eventName: "purchase", user: { userID: "user-1" } }] }],
};

/** @param print tells a title, a value and its target */
export async function measureFirstRequests(print) {
  const times = {};
  const { key } = await makeApplicationKey();
  for (const [kind, [method, path, body]] of Object.entries({ ...BY_THE_CONSOLE, ...BY_APPLICATIONS })) {
    const server = await startIdle("gatehouse");
    times[kind] = await time(method, path, body, kind in BY_APPLICATIONS ? key : KEY);
    await server.stop();
  }
  const shown = Object.entries(times).map(([kind, { milliseconds }]) => `${kind} ${milliseconds.toFixed(0)}`);
  print(`first request after start, ${STORED} gates`, `${slowest(Object.values(times)).toFixed(0)} ms`, `≤ ${TARGET_MS} ms`);
  process.stdout.write(`  ms each: ${shown.join(", ")}\n`);

  const server = await startIdle("gatehouse");
  const swept = (await sweep()).filter(({ status }) => status < 300);
  await server.stop();
  const slow = swept
    .filter(({ milliseconds }) => milliseconds > TARGET_MS)
    .toSorted((left, right) => right.milliseconds - left.milliseconds);
  print(`first request of each of ${swept.length} operations`, `${slowest(swept).toFixed(0)} ms`, `≤ ${TARGET_MS} ms`);
  if (slow.length > 0) {
    const shown = slow.slice(0, MAX_SHOWN).map(({ name, milliseconds }) => `${name} ${milliseconds.toFixed(0)}`);
    process.stdout.write(`  ${slow.length} slower, ms: ${shown.join(", ")}\n`);
  }
}

/** Every operation of the console API whose example needs only one entity, after one request that creates it. */
async function sweep() {
  const times = [];
  for (const [collection, entityPath] of entityPaths()) {
    const maker = document.paths[collection].post;
    if (maker === undefined) continue;
    const made = await time("POST", collection, findExample(maker));
    times.push({ ...made, name: maker.operationId });
    const { data } = made.body;
    if (data === undefined) continue;
    const target = (path) => path.replace(entityPath, `${collection}/${data.id ?? data.name}`);
    const deletion = document.paths[entityPath].delete;
    for (const path of Object.keys(document.paths)) {
      if (path !== collection && !(path.startsWith(entityPath) && !target(path).includes("{"))) continue;
      for (const method of METHODS) {
        const operation = document.paths[path][method];
        if (operation === undefined || operation === maker || operation === deletion) continue;
        times.push({ ...(await time(method.toUpperCase(), target(path), findExample(operation))), name: operation.operationId });
      }
    }
    if (deletion) times.push({ ...(await time("DELETE", target(entityPath))), name: deletion.operationId });
  }
  return times;
}

/** `/console/v1/gates` with `/console/v1/gates/{id}`, and so on. */
function entityPaths() {
  const entity = /^(.*)\/\{(id|name)\}$/;
  return Object.keys(document.paths).flatMap((path) => {
    const collection = entity.exec(path)?.[1];
    return collection !== undefined && collection in document.paths ? [[collection, path]] : [];
  });
}

function findExample({ requestBody }) {
  const [example] = Object.values(requestBody?.content["application/json"].examples ?? {});
  return example?.value;
}

/** A key that an application has used before the start. */
async function makeApplicationKey() {
  const server = await startIdle("gatehouse");
  const { data } = await call("POST", "/keys", { type: "SERVER", description: "benchmark" });
  await time(...BY_APPLICATIONS.evaluate, data.key);
  await server.stop();
  return data;
}

async function time(method, path, body, key = KEY) {
  const begin = performance.now();
  const response = await fetch(new URL(path, root), {
    method,
    headers: { "SERVICE-API-KEY": key, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const milliseconds = performance.now() - begin;
  const isJSON = response.headers.get("Content-Type")?.startsWith("application/json");
  return { milliseconds, status: response.status, body: isJSON ? JSON.parse(text) : {} };
}

function slowest(times) {
  return Math.max(...times.map(({ milliseconds }) => milliseconds));
}

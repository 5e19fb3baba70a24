// The servers that are measured, and the database that they share.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "../scripts/postgres.mjs";
import { cpuSeconds, parentOf, pinned } from "./system.mjs";

export const KEY = "console-benchmark-0123456789";
export const ADMINISTRATOR = { email: "ada@example.com", password: "correct horse battery staple" };
const IDLE_WINDOW_MS = 500;
/** The most CPU time of an idle server in a window, s. */
const IDLE_CPU_S = 0.02;
const MAX_WINDOWS = 180;
const ports = {
  gatehouse: await freePort(),
  limited: await freePort(),
  bare: await freePort(),
  embedded: await freePort(),
  clickhouse: await freePort(),
};
/** `limited` is a Gatehouse with a limit of writes: no load reaches it, and leases are about as frequent as with the default one. */
const WRITE_LIMITS = { gatehouse: "off", embedded: "off", clickhouse: "off", limited: "100000" };
export const root = `http://127.0.0.1:${ports.gatehouse}/console/v1`;
export const urls = {
  gatehouse: `${root}/gates`,
  limited: `http://127.0.0.1:${ports.limited}/console/v1/gates`,
  bare: `http://127.0.0.1:${ports.bare}/gates`,
  embedded: `http://127.0.0.1:${ports.embedded}/console/v1/gates`,
  clickhouse: `http://127.0.0.1:${ports.clickhouse}/console/v1/gates`,
};
/** The events and the database of `clickhouse`, a Gatehouse whose events are in a ClickHouse. */
export const clickhouseUrls = { eventsUrl: undefined, databaseUrl: undefined };
/** The folder of `embedded`, a Gatehouse on its embedded database. */
export const embeddedFolder = { path: undefined };
export const databaseUrl = await createDatabase("bench");

// Ends the servers with the benchmark, even if it is interrupted.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** @returns the address of a new database */
export async function createDatabase(purpose) {
  const url = new URL(process.env.TEST_DATABASE_URL);
  const admin = new pg.Client(url.href);
  await admin.connect();
  const name = `gatehouse_${purpose}_${process.pid}`;
  await admin.query(`create database ${name}`);
  await admin.end();
  url.pathname = `/${name}`;
  return url.href;
}

/** The first process of a Postgres on this machine. */
export async function findPostgres() {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const pid = parentOf(rows[0].pid);
  await client.end();
  return pid;
}

/**
 * On one core if it is given.
 * @throws if the server ends before it answers
 */
export async function start(name, core) {
  const server = fileURLToPath(import.meta.resolve("@gatehouse/server/main"));
  const file = name === "bare" ? fileURLToPath(new URL("bare-server.mjs", import.meta.url)) : server;
  const child = spawn(...pinned(core, process.execPath, [file]), {
    env: {
      ...process.env,
      ...{ NODE_ENV: "production", DATABASE_URL: databaseUrl, PORT: String(ports[name]), GATEHOUSE_CONSOLE_KEY: KEY },
      ...{ GATEHOUSE_ADMIN_EMAIL: ADMINISTRATOR.email, GATEHOUSE_ADMIN_PASSWORD: ADMINISTRATOR.password },
      ...(name === "embedded" && { DATABASE_URL: "", GATEHOUSE_DATA_DIR: embeddedFolder.path }),
      ...(name === "clickhouse" && { DATABASE_URL: clickhouseUrls.databaseUrl, GATEHOUSE_EVENTS_URL: clickhouseUrls.eventsUrl }),
      ...(name in WRITE_LIMITS && { GATEHOUSE_WRITE_LIMIT: WRITE_LIMITS[name] }),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // Also when the benchmark fails.
  const kill = () => child.kill();
  process.once("exit", kill);
  await waitFor(`${urls[name]}?limit=1`, ended);
  return {
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      process.removeListener("exit", kill);
    },
  };
}

/**
 * On the first core, and after all work of its start: Gatehouse compiles its validators after it has begun to answer.
 * @throws if it stays busy
 */
export async function startIdle(name) {
  const server = await start(name, 0);
  await untilIdle(() => cpuSeconds(server.pid));
  return server;
}

/** Waits until processes do nothing. @param cpu their CPU time, s @throws if they stay busy */
export async function untilIdle(cpu) {
  let before = cpu();
  for (let window = 0; window < MAX_WINDOWS; window++) {
    await sleep(IDLE_WINDOW_MS);
    const now = cpu();
    // Also if the system has no such statistics.
    if (!(now - before >= IDLE_CPU_S)) return;
    before = now;
  }
  throw new Error("A server had work to do for a minute and a half.");
}

/** Milliseconds from the start of the process, with a migrated database and all cores, to its first response. */
export async function timeStart() {
  const begin = performance.now();
  const server = await start("gatehouse");
  const milliseconds = Math.round(performance.now() - begin);
  await server.stop();
  return milliseconds;
}

async function waitFor(url, ended) {
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const response = await fetch(url, { headers: { "SERVICE-API-KEY": KEY } }).catch(() => undefined);
    if (response?.ok) return void (await response.arrayBuffer());
    await sleep(10);
  }
  throw new Error(`The server ended before it answered ${url}.`);
}

/** Sends a request to Gatehouse and returns the response's JSON. @throws on an error */
export const call = callOn("gatehouse");

/** The same for one of the servers. */
export function callOn(name) {
  const origin = urls[name].slice(0, -"/gates".length);
  return async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { "SERVICE-API-KEY": KEY, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

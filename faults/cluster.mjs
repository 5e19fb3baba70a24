// Three replicas over one Postgres, each behind its own proxy, perhaps with their events in a ClickHouse, and the actions on them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEngine } from "../engines/clickhouse/start.mjs";
import { startProxy } from "../scripts/database-proxy.mjs";
import { startPostgres, unprivileged } from "../scripts/postgres.mjs";
import { mountSmallVolume } from "../scripts/small-volume.mjs";
import { actionsFor } from "./actions.mjs";
import { startModel } from "./evaluations.mjs";

export const KEY = "console-fault-run-0123456789";
const ADMINISTRATOR = { email: "administrator@example.com", password: "a password of fault runs" };
const MAIN = fileURLToPath(import.meta.resolve("@gatehouse/server/main"));
const VOLUME_MB = 384;
/** How long a replica may take to be ready, ms. A start waits up to 30 s for its database. */
const READY_TIMEOUT_MS = 60_000;

/** Starts everything. `close` ends and removes it. @param {{ hasClickHouse: boolean }} options */
export async function startCluster(size, { hasClickHouse }) {
  const volume = mountSmallVolume(VOLUME_MB, unprivileged());
  // Small segments of the write-ahead log, so that a small volume suffices.
  const small = { folder: volume?.path, walSegmentMB: 1, settings: { max_wal_size: "64MB", min_wal_size: "32MB", fsync: "on" } };
  const postgres = await startPostgres(volume ? small : { settings: { fsync: "on" } });
  const clickhouse = hasClickHouse ? await startClickHouse() : undefined;
  const model = await startModel();
  const replicas = [];
  for (let number = 1; number <= size; number++) {
    const proxy = await startProxy(postgres.url);
    replicas.push(
      createReplica(number, { DATABASE_URL: proxy.url(postgres.url), GATEHOUSE_STOP_DELAY: "1", ...clickhouse?.env, ...model.env }, proxy),
    );
  }
  // Only the first one migrates.
  for (const replica of replicas) await replica.start();
  return {
    volume,
    postgres,
    clickhouse,
    model,
    replicas,
    actions: actionsFor({ volume, clickhouse }),
    withQueries: (work) => work((sql) => query(postgres, sql)),
    async isRecovered() {
      const answers = await Promise.all(replicas.map((replica) => replica.probe("/readyz/console")));
      return answers.every((status) => status === 200);
    },
    async close() {
      for (const replica of replicas) await replica.close();
      model.close();
      await postgres.remove();
      await clickhouse?.remove();
      volume?.remove();
    },
  };
}

/** ClickHouse at an address that stays the same when it is killed and started again. */
async function startClickHouse() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-clickhouse-"));
  let engine = await startEngine({ folder });
  const { url } = engine;
  return {
    url,
    env: { GATEHOUSE_EVENTS_URL: url.replace("http:", "clickhouse:") },
    kill: () => engine.kill(),
    async start() {
      engine = await startEngine({ folder, port: Number(new URL(url).port) });
    },
    stop: () => engine.signal("SIGSTOP"),
    goOn: () => engine.signal("SIGCONT"),
    async remove() {
      await engine.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Signs the administrator in. @returns the headers of their requests */
export async function signIn({ url }) {
  const headers = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };
  const response = await fetch(`${url}/console/v1/session`, { method: "POST", headers, body: JSON.stringify(ADMINISTRATOR) });
  if (response.status !== 200) throw new Error(`The administrator's sign-in was answered ${response.status}: ${await response.text()}`);
  return { ...headers, Cookie: response.headers.get("Set-Cookie").split(";")[0], "GATEHOUSE-PROJECT": "default" };
}

/**
 * @param {Record<string, string>} env the settings of its database
 * @param proxy its connection to the database, if others use the database too
 */
export function createReplica(number, env, proxy) {
  let child;
  let output = "";
  const replica = {
    number,
    proxy,
    url: "",
    /** Set from a kill until the replica is ready again. During that time, requests may fail. */
    isDown: true,
    /** The number of kills, so that a request can detect one that happened while it waited. */
    kills: 0,
    async start() {
      output = "";
      child = spawn(process.execPath, [MAIN], {
        env: {
          ...{ PATH: process.env.PATH, PORT: "0", GATEHOUSE_CONSOLE_KEY: KEY, LOG_LEVEL: "fatal" },
          ...{ GATEHOUSE_ADMIN_EMAIL: ADMINISTRATOR.email, GATEHOUSE_ADMIN_PASSWORD: ADMINISTRATOR.password },
          GATEHOUSE_WRITE_LIMIT: "1000000",
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const started = child;
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
      const end = Date.now() + READY_TIMEOUT_MS;
      while (!/is ready at (\S+)/.test(output)) {
        if (Date.now() > end) throw new Error(`Replica ${number} was not ready after ${READY_TIMEOUT_MS} ms:\n${output}`);
        if (started.exitCode !== null) throw new Error(`Replica ${number} ended with ${started.exitCode}:\n${output}`);
        await pause(20);
      }
      replica.url = /is ready at (\S+)/.exec(output)[1];
      // It has cached the key and the ruleset, so it no longer needs the database for reads.
      const response = await fetch(`${replica.url}/v1/download_config_specs`, { headers: { "SERVICE-API-KEY": KEY } });
      if (response.status !== 200) throw new Error(`Replica ${number} answered ${response.status} to its first request.`);
      await response.arrayBuffer();
      replica.isDown = false;
    },
    kill: () => endWith("SIGKILL"),
    /** Stops it as an operator does. */
    async end() {
      await endWith("SIGTERM");
      if (child.exitCode !== 0)
        throw new Error(`Replica ${number} ended with ${child.exitCode ?? child.signalCode} at SIGTERM:\n${output}`);
    },
    stop: () => child.kill("SIGSTOP"),
    goOn: () => child.kill("SIGCONT"),
    probe: (path) =>
      fetch(`${replica.url}${path}`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ status }) => status,
        () => undefined,
      ),
    async close() {
      if (child?.exitCode === null && child.signalCode === null) await replica.kill();
      proxy?.close();
    },
  };
  return replica;

  async function endWith(signal) {
    replica.isDown = true;
    replica.kills += 1;
    const exit = once(child, "exit", { signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
    child.kill(signal);
    await exit;
  }
}

/** Stops or continues every process of the server. */
export function signalPostgres(postgres, signal) {
  const main = postgres.pid();
  for (const pid of [main, ...listChildren(main)]) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // The process has just ended.
      if (error.code !== "ESRCH") throw error;
    }
  }
}

/** Reads /proc, so it works only on Linux. */
function listChildren(parent) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Queries the database directly. */
async function query(postgres, sql) {
  const client = new pg.Client(postgres.url);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** Queries ClickHouse directly. */
export async function ask({ url }, sql) {
  const response = await fetch(url, { method: "POST", body: `${sql} format JSONEachRow` });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text.split("\n").filter(Boolean).map(JSON.parse);
}

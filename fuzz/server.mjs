// The built server as a process with its own database, and the process's resource usage.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bootstrap } from "@gatehouse/server/bootstrap";
import { openDatabase } from "@gatehouse/server/open-database";
import pg from "pg";

const MAX_KEPT_LINES = 2_000;
/** Linux counts CPU time in ticks. */
const TICKS_PER_SECOND = 100;

/** Creates a database with two projects. @returns its settings, and the other project's console key */
export async function makeDatabase(consoleKey) {
  const server = process.env.TEST_DATABASE_URL;
  const made = server ? await createDatabase(server) : makeFolder();
  const database = await openDatabase({ databaseUrl: made.env.DATABASE_URL, dataDir: made.env.GATEHOUSE_DATA_DIR });
  await bootstrap(database, consoleKey);
  const otherKey = await bootstrap(database, undefined, Date.now(), "other");
  await database.close();
  return { ...made, otherKey };
}

async function createDatabase(server) {
  const name = `gatehouse_fuzz_${process.pid}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    env: { DATABASE_URL: url.href },
    async remove() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-fuzz-"));
  return { env: { GATEHOUSE_DATA_DIR: folder }, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the server from its main file. Resolves when it is ready. */
export async function startServer(env, consoleKey, main = fileURLToPath(import.meta.resolve("@gatehouse/server/main"))) {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...env,
      GATEHOUSE_WRITE_LIMIT: "1000000",
      HOST: "127.0.0.1",
      PORT: "0",
      GATEHOUSE_CONSOLE_KEY: consoleKey,
      GATEHOUSE_SECRET_KEY: "a secret key of the fuzzer's servers",
      GATEHOUSE_WEBHOOK_HOSTS: "127.0.0.1",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const lines = [];
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(`the server ended: ${signal ?? code}`)));
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      lines.push(...chunk.toString().split("\n").filter(Boolean));
      lines.splice(0, lines.length - MAX_KEPT_LINES);
      const ready = /Gatehouse is ready at (\S+)/.exec(chunk);
      if (ready) resolve(ready[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then((how) => reject(new Error(`${how}\n${lines.join("\n")}`)));
  });
  return {
    url,
    hasEnded: () => hasEnded,
    /** The server's log lines of a request; without one, its last lines. */
    logged: (requestID) => (requestID ? lines.filter((line) => line.includes(requestID)) : lines.slice(-5)).map(parseCause),
    /** CPU time of all the server's threads so far, ms. */
    cpu: () => cpuTime(child.pid),
    /** Resident set, MB. */
    memory: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024),
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

function cpuTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return ((user + system) * 1000) / TICKS_PER_SECOND;
}

/** The error of a log line with the start of its stack, or the line if it has no error. */
function parseCause(line) {
  const [, err] = /"err":(\{.*\}),"requestID"/.exec(line) ?? [];
  if (err === undefined) return line.slice(0, 600);
  const { message, stack } = JSON.parse(err);
  const frames = stack.split("\n").filter((frame) => frame.includes(" at ") && !frame.includes("node_modules"));
  return [message.slice(-400), ...frames.slice(0, 4)].join("\n");
}

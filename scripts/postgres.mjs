// A Postgres server of one's own, from the system's binaries, on a free port, with its files in a temporary folder. One that does not wait for
// its disk has them in memory if there is room: each test file copies a database of hundreds of files, which takes a disk five times as long.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Space for the databases of tests that run at once, and for their write-ahead log, bytes. */
const MEMORY_NEEDED = 4 * 2 ** 30;

/**
 * Starts a server that trusts its user `postgres`.
 * @param {{ settings?: Record<string, string | number>, folder?: string, walSegmentMB?: number }} [options] `folder` is for its files;
 * by default a new one
 * @throws when no Postgres is installed
 */
export function startPostgres({ walSegmentMB = 16, ...options } = {}) {
  // In UTF-8 regardless of the environment, as every Postgres in production is.
  const encoding = ["--encoding=UTF8", "--locale=C"];
  return startWith(options, ({ run, data }) =>
    run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", `--wal-segsize=${walSegmentMB}`, ...encoding),
  );
}

/** Starts a standby of a server, which follows it by streaming replication. */
export function startStandby({ url }) {
  return startWith({}, ({ run, data }) => run("pg_basebackup", "-d", url, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync"));
}

/** @param makeFiles writes the files of a database before its first start */
async function startWith({ settings = {}, folder }, makeFiles) {
  const binaries = findBinaries();
  if (!binaries) throw new Error("No Postgres found. Install one (Debian: apt-get install postgresql).");
  const given = { listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 300, fsync: "off", ...settings };
  const own = mkdtempSync(join(given.fsync === "off" && hasMemory() ? MEMORY : tmpdir(), "gatehouse-postgres-"));
  const data = join(folder ?? own, "data");
  const port = await freePort();
  const owner = unprivileged();
  if (owner) chownSync(own, owner.uid, owner.gid);
  const run = (program, ...args) => runProgram(join(binaries, program), args, { ...owner, cwd: own });
  const options = Object.entries({ port, ...given }).map(([name, value]) => `-c ${name}='${value}'`);
  const server = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** The user that it runs as, if that is another. */
    owner,
    /** The folder of its files. */
    data,
    /** Runs a program of Postgres, such as `pg_dump`. */
    run,
    start: () => run("pg_ctl", "-D", data, "-o", options.join(" "), "-l", join(own, "log"), "-w", "start"),
    /** @param {"smart" | "fast" | "immediate"} mode */
    stop: (mode) => run("pg_ctl", "-D", data, "-m", mode, "-w", "stop"),
    isRunning: () => existsSync(join(data, "postmaster.pid")),
    /** Its first process, the parent of the processes that serve connections. */
    pid: () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]),
    async remove() {
      // One that has crashed leaves its pid behind.
      if (server.isRunning()) await server.stop("immediate").catch(() => {});
      rmSync(data, { recursive: true, force: true });
      rmSync(own, { recursive: true });
    },
  };
  await makeFiles(server);
  await server.start();
  return server;
}

function hasMemory() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED;
}

/** The folder of `initdb` and `pg_ctl`; undefined without an installed Postgres. */
export function findBinaries() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  return folders.find((candidate) => existsSync(join(candidate, "initdb")) && existsSync(join(candidate, "pg_ctl")));
}

/** Postgres refuses to run as root: then it runs as the user that its package made. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function runProgram(file, args, options) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${file} ${args.join(" ")} ended with ${code}.`))));
  });
}

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

// Runs a command with a Postgres: `node scripts/with-postgres.mjs COMMAND [ARGUMENT…]`
// The command finds its address in TEST_DATABASE_URL. One that is set already is used; else a server is started from the
// system's Postgres binaries on a free port, with its files in a temporary folder, and stopped and removed afterwards.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [command, ...args] = process.argv.slice(2);
const given = process.env.TEST_DATABASE_URL || undefined;
const server = given ? undefined : await startPostgres();
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, TEST_DATABASE_URL: given ?? server.url },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  server?.stop();
  process.exitCode = code ?? 1;
});

async function startPostgres() {
  const binaries = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-postgres-"));
  const data = join(folder, "data");
  const port = await freePort();
  const owner = unprivileged();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const run = (program, ...parameters) =>
    execFileSync(join(binaries, program), parameters, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync");
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=300 -c fsync=off`;
  run("pg_ctl", "-D", data, "-o", settings, "-l", join(folder, "log"), "-w", "start");
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run("pg_ctl", "-D", data, "-m", "immediate", "stop");
      rmSync(folder, { recursive: true });
    },
  };
}

function findBinaries() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...process.env.PATH.split(":")];
  const folder = folders.find((candidate) => existsSync(join(candidate, "initdb")) && existsSync(join(candidate, "pg_ctl")));
  if (folder) return folder;
  process.stderr.write("No Postgres found. Install one (Debian: apt-get install postgresql) or set TEST_DATABASE_URL.\n");
  process.exit(1);
}

/** Postgres refuses to run as root: then it runs as the user that its package made. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

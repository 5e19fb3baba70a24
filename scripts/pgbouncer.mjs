// A PgBouncer in transaction mode in front of a Postgres, on a free port, with its files in a temporary folder.
import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, unprivileged } from "./postgres.mjs";

/** Connections to each database, so few that several clients share them. */
const POOL_SIZE = 6;
const START_TIMEOUT_MS = 10_000;

/**
 * Serves every database of the Postgres at an address, as the user of that address.
 * @throws if no PgBouncer is installed
 */
export async function startPgBouncer(postgresUrl) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-pgbouncer-"));
  const port = await freePort();
  const owner = unprivileged();
  const { hostname, port: postgresPort, username, password } = new URL(postgresUrl);
  const target = { host: hostname, port: postgresPort || 5432, user: username, ...(password && { password }) };
  const settings = {
    pool_mode: "transaction",
    default_pool_size: POOL_SIZE,
    max_client_conn: 1000,
    auth_type: "any",
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    logfile: join(folder, "log"),
  };
  const file = join(folder, "pgbouncer.ini");
  const assign = (values, separator) => Object.entries(values).map(([name, value]) => `${name}${separator}${value}`);
  writeFileSync(file, ["[databases]", `* = ${assign(target, "=").join(" ")}`, "[pgbouncer]", ...assign(settings, " = "), ""].join("\n"));
  if (owner) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
  const child = spawn("pgbouncer", ["-q", file], {
    ...owner,
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  const failed = ended.then((code) => {
    throw new Error(`PgBouncer ended with ${code}.`);
  });
  failed.catch(() => {});
  await Promise.race([failed, untilOpen(port)]);
  const url = new URL(postgresUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async remove() {
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilOpen(port) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (await isOpen(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

// ClickHouse servers for tests, each in a separate process: the engine in this folder, and the one that Debian packages.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../../scripts/postgres.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const DEBIAN = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"].find((path) => existsSync(path));

export const isEngineInstalled = existsSync(join(HERE, "node_modules/chdb"));
/** Debian's is release 18.16: it lacks most of today's SQL, and speaks today's HTTP. */
export const isServerInstalled = DEBIAN !== undefined;

/**
 * Starts today's engine behind HTTP.
 * @param {{ folder?: string, port?: number }} [options] where its files are; without it, in a new folder that is deleted with the engine
 */
export async function startEngine({ folder, port = 0 } = {}) {
  const own = folder ?? mkdtempSync(join(tmpdir(), "gatehouse-clickhouse-"));
  const child = spawn(process.execPath, [join(HERE, "server.mjs"), own, String(port)], { stdio: ["pipe", "pipe", "inherit"] });
  const url = await firstLine(child);
  return {
    url,
    folder: own,
    kill: (signal = "SIGKILL") => ended(child, signal),
    /** Sends a signal that does not end it. */
    signal: (signal) => child.kill(signal),
    async remove() {
      await ended(child, "SIGKILL");
      if (folder === undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

/**
 * Starts servers of Debian's package, which form a cluster named `shards`. Its users are `default`, and `reader`, who may not write; neither
 * has a password.
 * @param {number} count
 */
export async function startServers(count = 1) {
  const ports = await Promise.all(Array.from({ length: count }, async () => ({ http: await freePort(), tcp: await freePort() })));
  const servers = ports.map(({ http, tcp }) => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-clickhouse-"));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, "config.xml"), renderConfig({ folder, http, tcp, shards: ports.map((one) => one.tcp) }));
    writeFileSync(join(folder, "users.xml"), USERS);
    const child = spawn(DEBIAN, [`--config-file=${join(folder, "config.xml")}`], { stdio: "ignore", cwd: folder });
    return { url: `http://127.0.0.1:${http}`, folder, child };
  });
  await Promise.all(servers.map(answers));
  return {
    urls: servers.map(({ url }) => url),
    async remove() {
      for (const { child, folder } of servers) {
        await ended(child, "SIGKILL");
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** The first line that a process prints. @throws when it ends before */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The engine ended with ${code}.`)));
  });
}

export async function answers({ url, child }) {
  let end;
  child.once("exit", (code) => {
    end = new Error(`clickhouse-server ended with ${code}.`);
  });
  for (;;) {
    if (end) throw end;
    const isUp = await fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

function renderConfig({ folder, http, tcp, shards }) {
  const shardList = shards.map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`).join("");
  return `<yandex>
  <logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${http}</http_port>
  <tcp_port>${tcp}</tcp_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>5368709120</mark_cache_size>
  <remote_servers><shards>${shardList}</shards></remote_servers>
</yandex>
`;
}

const USERS = `<yandex>
  <profiles><default/><reader><readonly>1</readonly></reader></profiles>
  <users>
    <default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default>
    <reader><password/><networks><ip>::/0</ip></networks><profile>reader</profile><quota>default</quota></reader>
  </users>
  <quotas><default/></quotas>
</yandex>
`;

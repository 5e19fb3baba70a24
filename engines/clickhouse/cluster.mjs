// A cluster of ClickHouse servers for tests: today's engine, each server a shard in a separate process. They send each other their parts of
// statements as any servers do. They have no queue of DDL, since it needs a keeper.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../scripts/postgres.mjs";
import { answers, ended } from "./start.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
export const CLUSTER = "shards";
export const isClusterInstalled = ["chdb", "ffi-rs"].every((name) => existsSync(join(HERE, "node_modules", name)));

/**
 * Starts a cluster named `shards`. Its address is that of a balancer: each statement goes to the next server, and one `on cluster` to all of them, as
 * their queue of DDL would bring it.
 * @param {{ count?: number, config?: string, grants?: string[] }} [options] `config` is added to every server's configuration, as XML, with
 *   `{number}` for the number of the server. `grants` are the rights of a user `gatehouse`, whose password is `secret`
 */
export async function startCluster({ count = 2, config = "", grants } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-cluster-"));
  const shards = await Promise.all(Array.from({ length: count }, async () => ({ http: await freePort(), tcp: await freePort() })));
  const servers = shards.map(({ http, tcp }, index) => {
    const own = join(folder, String(index + 1));
    mkdirSync(own);
    const users = grants ? withUsers(own, grants) : "";
    writeFileSync(join(own, "config.xml"), renderConfig({ shards, number: index + 1, config: config + users }));
    const start = () =>
      spawn(process.execPath, [join(HERE, "shard.mjs"), own, String(http), String(tcp)], { stdio: ["pipe", "ignore", "inherit"] });
    return { url: `http://127.0.0.1:${http}`, child: start(), start };
  });
  await Promise.all(servers.map(answers));
  const urls = servers.map(({ url }) => url);
  const balancer = await startBalancer(urls);
  return {
    url: balancer.url,
    /** Each server's own address. */
    urls,
    kill: (index) => ended(servers[index].child, "SIGKILL"),
    async restart(index) {
      servers[index].child = servers[index].start();
      await answers(servers[index]);
    },
    async remove() {
      await balancer.close();
      await Promise.all(servers.map(({ child }) => ended(child, "SIGKILL")));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function renderConfig({ shards, number, config }) {
  const replicas = shards.map(({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`);
  const list = replicas.map((replica) => `<shard><internal_replication>true</internal_replication>${replica}</shard>`).join("");
  const { http, tcp } = shards[number - 1];
  return `<clickhouse>
  <tcp_port>${tcp}</tcp_port>
  <http_port>${http}</http_port>
  <remote_servers><${CLUSTER}>${list}</${CLUSTER}></remote_servers>
  ${config.replaceAll("{number}", String(number))}
</clickhouse>
`;
}

/** Writes a file of users. @returns the configuration of a server that reads it, and demands every right */
function withUsers(folder, grants) {
  const user = (name, password, rights) =>
    `<${name}><password>${password}</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>${rights}</${name}>`;
  const rights = `<grants>${grants.map((grant) => `<query>${grant}</query>`).join("")}</grants>`;
  const users = `<users>${user("default", "", "")}${user("gatehouse", "secret", rights)}</users>`;
  const file = join(folder, "users.xml");
  writeFileSync(file, `<clickhouse><profiles><default/></profiles><quotas><default/></quotas>${users}</clickhouse>`);
  const demands = ["table_engines_require_grant", "select_from_system_db_requires_grant"].map((name) => `<${name}>true</${name}>`);
  return `<users_config>${file}</users_config><access_control_improvements>${demands.join("")}</access_control_improvements>`;
}

const ON_CLUSTER = new RegExp(`^\\s*(?:create|alter|truncate|drop|rename)\\b[^(;]*?\\son cluster "?${CLUSTER}"?(?=\\s|$)`, "i");

async function startBalancer(urls) {
  let turn = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, headers, url } = request;
    const passed = Object.fromEntries(
      ["authorization", "content-encoding", "accept-encoding"].flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
    );
    const ask = (address, text) => fetch(`${address}${url}`, { method, headers: passed, ...(method === "POST" && { body: text }) });
    const start = body.subarray(0, 1_000).toString();
    try {
      const isForAll = ON_CLUSTER.test(start);
      const text = isForAll ? withoutCluster(body.toString()) : body;
      const asked = isForAll ? urls : [urls[turn++ % urls.length]];
      const results = await Promise.all(asked.map((address) => ask(address, text)));
      const answer = results.find(({ ok }) => !ok) ?? results[0];
      const code = answer.headers.get("x-clickhouse-exception-code");
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "text/plain",
        ...(code && { "x-clickhouse-exception-code": code }),
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      response.destroy();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The statement as each server runs it. Replicas of a table have the same UUID. */
function withoutCluster(text) {
  const uuid = /^\s*create table/i.test(text) ? ` uuid '${randomUUID()}'` : "";
  return text.replace(new RegExp(`\\son cluster "?${CLUSTER}"?`, "i"), uuid);
}

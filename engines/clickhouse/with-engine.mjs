// Runs a command with today's ClickHouse: `node engines/clickhouse/with-engine.mjs [--cluster] COMMAND [ARGUMENT…]`
// The command finds its address in TEST_EVENTS_URL. With --cluster, it is that of two servers.
import { spawn } from "node:child_process";
import { CLUSTER, isClusterInstalled, startCluster } from "./cluster.mjs";
import { isEngineInstalled, startEngine } from "./start.mjs";

const isCluster = process.argv[2] === "--cluster";
const [command, ...args] = process.argv.slice(isCluster ? 3 : 2);
if (!(isCluster ? isClusterInstalled : isEngineInstalled)) {
  process.stderr.write("ClickHouse's engine is not installed. Run pnpm clickhouse.\n");
  process.exit(1);
}
const engine = await (isCluster ? startCluster() : startEngine());
const url = `${engine.url.replace("http:", "clickhouse:")}${isCluster ? `?cluster=${CLUSTER}` : ""}`;
const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, TEST_EVENTS_URL: url } });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", async (code) => {
  await engine.remove();
  process.exitCode = code ?? 1;
});

// Runs a command with today's ClickHouse: `node engines/clickhouse/with-engine.mjs COMMAND [ARGUMENT…]`
// The command finds its address in TEST_EVENTS_URL.
import { spawn } from "node:child_process";
import { isEngineInstalled, startEngine } from "./start.mjs";

const [command, ...args] = process.argv.slice(2);
if (!isEngineInstalled) {
  process.stderr.write("ClickHouse's engine is not installed. Run pnpm clickhouse.\n");
  process.exit(1);
}
const engine = await startEngine();
const url = engine.url.replace("http:", "clickhouse:");
const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, TEST_EVENTS_URL: url } });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", async (code) => {
  await engine.remove();
  process.exitCode = code ?? 1;
});

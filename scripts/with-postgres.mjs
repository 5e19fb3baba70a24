// Runs a command with a Postgres: `node scripts/with-postgres.mjs [--fsync] COMMAND [ARGUMENT…]`
// The command finds its address in TEST_DATABASE_URL. If that is set already, its server is used; otherwise a server is started for the
// command, and removed afterwards. With `--fsync` it waits for its disk, as in production.
import { spawn } from "node:child_process";
import { startPostgres } from "./postgres.mjs";

const isDurable = process.argv[2] === "--fsync";
const [command, ...args] = process.argv.slice(isDurable ? 3 : 2);
const given = process.env.TEST_DATABASE_URL || undefined;
const server = given ? undefined : await startPostgres({ settings: { fsync: isDurable ? "on" : "off" } }).catch(fail);
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, TEST_DATABASE_URL: given ?? server.url },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", async (code) => {
  await server?.remove();
  process.exitCode = code ?? 1;
});

function fail({ message }) {
  process.stderr.write(`${message} Or set TEST_DATABASE_URL.\n`);
  process.exit(1);
}

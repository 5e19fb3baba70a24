// Runs a command with a Postgres: `node scripts/with-postgres.mjs COMMAND [ARGUMENT…]`
// The command finds its address in TEST_DATABASE_URL. If that is set already, its server is used; otherwise a server is started for the
// command, and removed afterwards. POSTGRES_SETTINGS=fsync=on,… are settings of it.
import { spawn } from "node:child_process";
import { startPostgres } from "./postgres.mjs";

const [command, ...args] = process.argv.slice(2);
const given = process.env.TEST_DATABASE_URL || undefined;
const server = given ? undefined : await startPostgres({ settings: settings() }).catch(fail);
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, TEST_DATABASE_URL: given ?? server.url },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", async (code) => {
  await server?.remove();
  process.exitCode = code ?? 1;
});

function settings() {
  const pairs = (process.env.POSTGRES_SETTINGS ?? "").split(",").filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split("=")));
}

function fail({ message }) {
  process.stderr.write(`${message} Or set TEST_DATABASE_URL.\n`);
  process.exit(1);
}

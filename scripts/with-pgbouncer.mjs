// Runs a command with a Postgres and a PgBouncer in transaction mode in front of it: `node scripts/with-pgbouncer.mjs COMMAND [ARGUMENT…]`
// The command finds Postgres in TEST_DATABASE_URL, which is used if it is set already, and PgBouncer in TEST_POOLER_URL.
import { spawn } from "node:child_process";
import { startPgBouncer } from "./pgbouncer.mjs";
import { startPostgres } from "./postgres.mjs";

const [command, ...args] = process.argv.slice(2);
const given = process.env.TEST_DATABASE_URL || undefined;
const server = given ? undefined : await startPostgres().catch(fail);
const url = given ?? server.url;
const pooler = await startPgBouncer(url).catch(fail);
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, TEST_DATABASE_URL: url, TEST_POOLER_URL: pooler.url },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", async (code) => {
  await pooler.remove();
  await server?.remove();
  process.exitCode = code ?? 1;
});

async function fail({ message }) {
  process.stderr.write(`${message}\n`);
  await server?.remove();
  process.exit(1);
}

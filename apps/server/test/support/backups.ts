import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { startPostgres } from "../../../../scripts/postgres.mjs";
import { asAdmin } from "./database.ts";
import { databaseUrl } from "./template-database.ts";

type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** Makes a backup of a database, and returns a function that restores it once, while servers run on. */
type BackUp = (postgres: Postgres, database: string) => Promise<() => Promise<void>>;

/** How a database comes back to an earlier state. */
export const BACKUPS = {
  "from a dump": async (postgres: Postgres, database: string) => {
    const file = join(postgres.data, "..", `${database}.dump`);
    const url = databaseUrl(postgres.url, database);
    await postgres.run("pg_dump", "--format=custom", `--file=${file}`, url);
    return async () => {
      await asAdmin(postgres.url, `drop database ${database} with (force)`);
      await asAdmin(postgres.url, `create database ${database} owner gatehouse`);
      // Otherwise replicas see tables without rows, such as those of keys.
      await postgres.run("pg_restore", "--single-transaction", `--dbname=${url}`, file);
    };
  },

  // As a snapshot of a disk: the database is the same as the one that was backed up.
  "from a copy of its files": async (postgres: Postgres) => {
    const backup = `${postgres.data}-backup`;
    rmSync(backup, { recursive: true, force: true });
    await whileStopped(postgres, () => copy(postgres.data, backup));
    return () =>
      whileStopped(postgres, () => {
        rmSync(postgres.data, { recursive: true });
        copy(backup, postgres.data);
      });
  },
} satisfies Record<string, BackUp>;

async function whileStopped(postgres: Postgres, work: () => void): Promise<void> {
  await postgres.stop("fast");
  work();
  await postgres.start();
}

/** Keeps the owner of the files, and their times. */
function copy(from: string, to: string): void {
  execFileSync("cp", ["-a", from, to]);
}

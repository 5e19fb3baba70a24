import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Database, Session } from "./database.ts";
import { isConnectionLoss } from "./database-errors.ts";
import { dropSharedViews, forSharedSchemas, makeSharedViews } from "./shared-events.ts";

type Migration = { name: string; sql: string };

/** The database was migrated by a newer server, or has another migration history, such as that of a version before 0.1.0. */
export class SchemaMismatch extends Error {}

/** Names the servers that can run beside this one once a migration is applied: those whose last migration is this one or a later one. */
const WORKS_WITH = /^-- Works with servers whose last migration is (\w+)[.,]/m;

/** `worksWith` is null if only servers that know the migration work with it. */
type Applied = { checksum: string; worksWith: string | null };

const MIGRATIONS_FOLDER = new URL("prisma/migrations/", pathToFileURL(createRequire(import.meta.url).resolve("#package.json")));
/** Unique among the advisory locks on this database. Other logins can take it as well, so it counts only until a row can be locked. */
const ADVISORY_LOCK_ID = 7_241_533_018;

/** The migrations of this server, oldest first. */
export function readMigrations(): Migration[] {
  return readdirSync(MIGRATIONS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(new URL(`${name}/migration.sql`, MIGRATIONS_FOLDER), "utf8") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Migrates the database to this server's schema. Each migration and its record are one transaction, so an interrupted one leaves no trace.
 * Replicas that start together take turns. Locks belong to transactions, so a transaction pooler may be in between. The records are those
 * of Prisma's `_prisma_migrations`, so `prisma migrate` agrees.
 * @returns the names of the migrations that this call applied
 */
export async function migrate(database: Database, migrations = readMigrations()): Promise<string[]> {
  return database.withSession(async (session) => {
    const names: string[] = [];
    for (;;) {
      const name = await applyNext(session, migrations);
      if (name === undefined) return names;
      names.push(name);
    }
  });
}

/** Whether a newer server has migrated the database, in a rolling upgrade in which this server is still running. */
export async function isOutdated(database: Database, migrations = readMigrations()): Promise<boolean> {
  const last = migrations.at(-1)?.name ?? "";
  const [newer] = await database.withSession((session) =>
    session.query('select 1 from _prisma_migrations where migration_name collate "C" > $1 and finished_at is not null limit 1', [last]),
  );
  return newer !== undefined;
}

/** Returns the name of the applied migration. Undefined if none is pending. */
async function applyNext(session: Session, migrations: Migration[]): Promise<string | undefined> {
  await session.script("begin");
  try {
    await session.script("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    const applied = await readApplied(session);
    refuseUnknown(applied, migrations);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    const [next] = pending;
    if (next) {
      // The tables have no dependents while they change. The views fit the tables once all migrations are applied.
      await forSharedSchemas(session, dropSharedViews);
      await apply(session, next);
      if (pending.length === 1) await forSharedSchemas(session, makeSharedViews);
    }
    await session.script("commit");
    return next?.name;
  } catch (error) {
    await session.script("rollback").catch(() => {});
    throw error;
  }
}

async function readApplied(session: Session): Promise<Map<string, Applied>> {
  const [{ exists } = { exists: false }] = await session.query<{ exists: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as exists",
  );
  if (!exists) await createRecord(session);
  await session.script("lock table _prisma_migrations in share row exclusive mode");
  const rows = await session.query<{ migration_name: string } & Applied>(
    'select migration_name, checksum, logs as "worksWith" from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

async function createRecord(session: Session): Promise<void> {
  await session.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK_ID]);
  await session.script(`
    set local client_min_messages to warning;
    create table if not exists _prisma_migrations (
      id varchar(36) primary key,
      checksum varchar(64) not null,
      finished_at timestamptz,
      migration_name varchar(255) not null,
      logs text,
      rolled_back_at timestamptz,
      started_at timestamptz not null default now(),
      applied_steps_count integer not null default 0
    );`);
}

function refuseUnknown(applied: Map<string, Applied>, migrations: Migration[]): void {
  const [baseline] = migrations;
  const last = migrations.at(-1)?.name ?? "";
  if (applied.size > 0 && baseline && !applied.has(baseline.name)) {
    throw new SchemaMismatch(
      "This database was not created by Gatehouse 0.1.0 or later: export what you need with the version that created it, and start this one with an empty database or data folder.",
    );
  }
  const known = new Map(migrations.map((migration) => [migration.name, checksum(migration)]));
  for (const [name, { checksum: sum, worksWith }] of applied) {
    if (!known.has(name)) {
      // A rolling upgrade: this server runs on beside newer ones.
      if (worksWith !== null && worksWith <= last) continue;
      throw new SchemaMismatch(
        `The database has the migration ${name}, which this server does not know: a newer Gatehouse made it. Start that version, or a newer one.`,
      );
    }
    if (known.get(name) !== sum) {
      throw new SchemaMismatch(
        `The database's migration ${name} is not the one that this server brings. Start the Gatehouse version that made this database.`,
      );
    }
  }
}

async function apply(session: Session, migration: Migration): Promise<void> {
  try {
    await session.script(migration.sql);
    await session.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count, logs)
       values ($1, $2, $3, now(), now(), 1, $4)`,
      [randomUUID(), checksum(migration), migration.name, WORKS_WITH.exec(migration.sql)?.[1] ?? null],
    );
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    throw new Error(`The migration ${migration.name} failed and was rolled back.`, { cause: error });
  }
}

function checksum({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/startup/open-database.ts";
import { type Database, openEmbedded, openPostgres, type Session } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { isPooled, onPostgres } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";

// The data of a released version's database, as SQL that Postgres and the embedded database both restore. The tables are not in it: the
// version's migrations create them, and their checksums are compared with those of today.

/** The secret of the audit log in every dump. */
export const AUDIT_KEY = "the audit key of every upgrade dump";

/** The migrations that a database has. */
export type Applied = { name: string; checksum: string };

/** Tables that migrations fill, or that are not data. */
const WITHOUT_DATA = ["_prisma_migrations", "database_place", "lock_slot"];

/** The database's data as SQL. */
export const writeDump = (database: Database): Promise<string> =>
  database.withSession(async (session) => {
    const tables = await namesIn(
      session,
      `select relname::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    const partitions = await namesIn(
      session,
      `select format('create table %I partition of event %s;', relname, pg_get_expr(relpartbound, oid)) as name
       from pg_class where relispartition and relkind = 'r' order by relname`,
    );
    const sequences = await namesIn(
      session,
      `select format('select setval(%L, %s);', sequencename, last_value) as name from pg_sequences
       where schemaname = 'public' and last_value is not null order by sequencename`,
    );
    const inserts: string[] = [];
    for (const table of tables.filter((name) => !WITHOUT_DATA.includes(name))) inserts.push(await dumpInserts(session, table));
    return `${[...partitions, ...inserts.filter((sql) => sql !== ""), ...sequences].join("\n")}\n`;
  });

async function dumpInserts(session: Session, table: string): Promise<string> {
  const columns = await namesIn(
    session,
    `select format('%I', attname) as name from pg_attribute where attrelid = '"${table}"'::regclass and attnum > 0 and not attisdropped order by attnum`,
  );
  const values = columns.map((column) => `quote_nullable(${column}::text)`).join(", ");
  const rows = await namesIn(session, `select concat_ws(',', ${values}) as name from "${table}" order by 1`);
  return rows.length === 0 ? "" : `insert into "${table}" (${columns.join(", ")}) values\n${rows.map((row) => `(${row})`).join(",\n")};`;
}

async function namesIn({ query }: Session, sql: string): Promise<string[]> {
  return (await query<{ name: string }>(sql)).map(({ name }) => name);
}

export const readApplied = (database: Database): Promise<Applied[]> =>
  database.withSession(({ query }) => query<Applied>("select migration_name as name, checksum from _prisma_migrations order by 1"));

/** Restores a dump into an empty database, and opens that as a start of this version does. `close` also removes it. */
export async function openRestored(folder: URL, applied: Applied[]): Promise<Database> {
  const sql = readFileSync(new URL("dump.sql", folder), "utf8");
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-upgrade-"));
  const databaseUrl = onPostgres ? await createEmptyPostgres() : undefined;
  const empty = databaseUrl === undefined ? await openEmbedded(dataDir) : openPostgres(databaseUrl, { isPooled });
  await restore(empty, sql, applied).finally(() => empty.close());
  const database = await openDatabase({ databaseUrl, dataDir, auditKey: AUDIT_KEY });
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function restore(database: Database, sql: string, applied: Applied[]): Promise<void> {
  const names = applied.map(({ name }) => name);
  await migrate(
    database,
    readMigrations().filter(({ name }) => names.includes(name)),
  );
  await database.withSession(async ({ query, script }) => {
    await script(
      `begin; alter table change disable trigger user; truncate project, company; ${sql} alter table change enable trigger user; commit`,
    );
    for (const { name, checksum } of applied)
      await query("update _prisma_migrations set checksum = $1 where migration_name = $2", [checksum, name]);
  });
}

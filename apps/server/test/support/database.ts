import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { inject } from "vitest";
import { PrismaClient } from "../../src/generated/prisma/client.ts";
import { type Database, embedded, openPostgres } from "../../src/store/database.ts";
import { databaseUrl } from "./template-database.ts";

/**
 * Whether the tests run on a Postgres server, where several processes can share a database. The embedded one has a single connection,
 * and so no two transactions at once.
 */
export const onPostgres = inject("template").kind === "postgres";

/** Whether they reach it through a transaction pooler. */
export const isPooled = "pooler" in inject("template");

export type TestDatabase = Database & {
  /** Looks into it, beside the server's own connections. */
  prisma: PrismaClient;
  /** Its address; undefined when it is embedded. */
  url: string | undefined;
  /** Ends every connection to it, as a restart of Postgres does; new ones can be made. */
  endConnections(): Promise<void>;
  /** Ends every connection to it for good. */
  cutOff(): Promise<void>;
};

/** A database of the test file's own: a copy of the migrated template. `close` removes it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject("template");
  if (template.kind === "embedded") {
    templateFiles ??= new Blob([readFileSync(template.dump)]);
    const pglite = await PGlite.create({ loadDataDir: templateFiles });
    const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) });
    return { ...embedded(pglite), prisma, url: undefined, endConnections: async () => {}, cutOff: () => pglite.close() };
  }
  const name = `${template.name}_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(template.url, `create database ${name} template ${template.name}`);
  const url = databaseUrl(template.pooler ?? template.url, name);
  const database = openPostgres(url, { isPooled });
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl(template.url, name), max: 2 }) });
  return {
    ...database,
    prisma,
    url,
    endConnections: () => asAdmin(template.url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`),
    cutOff: () => asAdmin(template.url, `drop database ${name} with (force)`),
    async close() {
      await Promise.all([database.close(), prisma.$disconnect()]);
      await asAdmin(template.url, `drop database if exists ${name} with (force)`);
    },
  };
}

/** What all embedded databases of this process are copies of. */
let templateFiles: Blob | undefined;

/** The same database once more, on Postgres with other connections. `close` leaves it to the first. */
export function connectAgain(database: TestDatabase): TestDatabase {
  return database.url === undefined ? { ...database, close: async () => {} } : { ...database, ...openPostgres(database.url, { isPooled }) };
}

/** Runs a statement on another connection, for what no open database can do. */
export async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

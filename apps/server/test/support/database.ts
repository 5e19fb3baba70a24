import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { inject } from "vitest";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { prepareClickHouse, withClickHouse } from "../../src/clickhouse/with-clickhouse.ts";
import { PrismaClient } from "../../src/generated/prisma/client.ts";
import { type Database, embedded, openPostgres } from "../../src/store/database/database.ts";
import type { ClickHouse } from "../../src/store/database/engines.ts";
import { databaseUrl } from "./template-database.ts";

/**
 * Whether the tests run on a Postgres server, where several processes can share a database. The embedded database has a single connection,
 * and so no concurrent transactions.
 */
export const onPostgres = inject("template").kind === "postgres";

/** Whether the tests connect through a transaction pooler. */
export const isPooled = "pooler" in inject("template");

/** Whether events and exposures are in ClickHouse, beside the database. */
export const onClickHouse = process.env.TEST_EVENTS_URL !== undefined;

export type TestDatabase = Database & {
  /** A connection for the test itself, besides the server's. */
  prisma: PrismaClient;
  /** The database's address; undefined if it is embedded. */
  url: string | undefined;
  /** The address of the ClickHouse that has its events, if that does. */
  eventsUrl?: string;
  /** Closes every connection, as a restart of Postgres does. New ones can be opened. */
  endConnections(): Promise<void>;
  /** Closes every connection and allows no new ones. */
  cutOff(): Promise<void>;
};

/** Creates a database for the test file: a copy of the migrated template. `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await copyTemplate();
  return onClickHouse ? withTestClickHouse(database, process.env.TEST_EVENTS_URL as string) : database;
}

async function copyTemplate(): Promise<TestDatabase> {
  const template = inject("template");
  if (template.kind === "embedded") {
    templateFiles ??= new Blob([readFileSync(template.dump)]);
    const pglite = await PGlite.create({ loadDataDir: templateFiles, parsers: { 20: BigInt } });
    const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) });
    return { ...embedded(pglite), prisma, url: undefined, endConnections: async () => {}, cutOff: () => pglite.close() };
  }
  const name = `${template.name}_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(template.url, `create database ${name} template ${template.name}`);
  const url = databaseUrl(template.pooler ?? template.url, name);
  const database = openPostgres(url, { isPooled });
  // To compare the rows of a hundred small tables, starting the workers of a parallel plan takes longer than the plan.
  const pool = { connectionString: databaseUrl(template.url, name), max: 2, options: "-c max_parallel_workers_per_gather=0" };
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => createHash("md5").update(sql).digest("hex") }),
  });
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

/** The same database with its events in a separate ClickHouse database. */
export async function withTestClickHouse(database: TestDatabase, server: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const admin = openClickHouse(server);
  await admin.command(`create database ${onServers(admin, name)}`);
  const eventsUrl = toEventsUrl(server, name);
  const clickhouse = await prepareClickHouse(openClickHouse(eventsUrl));
  return {
    ...database,
    ...withClickHouse(database, clickhouse),
    eventsUrl,
    async close() {
      await Promise.all([database.close(), clickhouse.close()]);
      // The engine may be gone already.
      await admin.command(`drop database ${onServers(admin, name)}`).catch(() => {});
      await admin.close();
    },
  };
}

/** The name of a database in a statement that creates or drops it: on every server of a cluster. */
export const onServers = ({ cluster }: ClickHouse, name: string) => (cluster === undefined ? name : `${name} on cluster "${cluster}"`);

/** The address of a database of a ClickHouse. */
export const toEventsUrl = (server: string, name: string) => Object.assign(new URL(server), { pathname: name }).href;

/** The template for all embedded databases of this process. */
let templateFiles: Blob | undefined;

/** A second handle on the same database, on Postgres with its own connections. `close` does not drop it. */
export function connectAgain(database: TestDatabase): TestDatabase {
  if (database.url === undefined) return { ...database, close: async () => {} };
  const again = openPostgres(database.url, { isPooled });
  return { ...database, ...(database.eventsUrl === undefined ? again : withClickHouse(again, openClickHouse(database.eventsUrl))) };
}

/** Runs a statement on another connection, for statements that need the database to be closed. */
export async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { type Database, openEmbedded, openPostgres } from "../../src/store/database/database.ts";
import { asAdmin, isPooled, onPostgres, onServers, toEventsUrl } from "./database.ts";
import { databaseUrl } from "./template-database.ts";

/**
 * Creates an empty database on the Postgres server. The end of the run drops it.
 * @param options SQL behind `create database`
 * @returns its address
 */
export async function createEmptyPostgres(options = ""): Promise<string> {
  const template = inject("template");
  if (template.kind !== "postgres") throw new Error("TEST_DATABASE_URL is not set.");
  const name = `${template.name}_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(template.url, `create database ${name} ${options}`);
  return databaseUrl(template.pooler ?? template.url, name);
}

/** Creates an empty database in the run's ClickHouse, which ends with the run. @returns its address */
export async function createEmptyClickHouse(): Promise<string> {
  const server = process.env.TEST_EVENTS_URL as string;
  const name = `empty_${randomUUID().replaceAll("-", "")}`;
  const admin = openClickHouse(server);
  await admin.command(`create database ${onServers(admin, name)}`).finally(() => admin.close());
  return toEventsUrl(server, name);
}

/** Opens a database without tables, embedded or on Postgres like the run. */
export async function openEmptyDatabase(): Promise<Database> {
  return onPostgres ? openPostgres(await createEmptyPostgres(), { isPooled }) : openEmbedded("memory");
}

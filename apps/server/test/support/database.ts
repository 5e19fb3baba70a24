import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { inject } from "vitest";
import { type Database, embedded, openPostgres } from "../../src/store/database.ts";
import { databaseUrl } from "./template-database.ts";

export type TestDatabase = Database & {
  /** Its address; undefined when it is embedded. */
  url: string | undefined;
};

/** A database of the test file's own: a copy of the migrated template. `close` removes it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject("template");
  if (template.kind === "embedded") {
    const pglite = await PGlite.create({ loadDataDir: new Blob([readFileSync(template.dump)]) });
    return { ...embedded(pglite), url: undefined };
  }
  const name = `${template.name}_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(template.url, `create database ${name} template ${template.name}`);
  const url = databaseUrl(template.url, name);
  const database = openPostgres(url);
  return {
    ...database,
    url,
    async close() {
      await database.close();
      await asAdmin(template.url, `drop database ${name} with (force)`);
    },
  };
}

/** Runs a statement on another connection, for what no open database can do. */
export async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryFS, PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { createAdministrator } from "../../src/accounts/sign-in.ts";
import { bootstrap } from "../../src/startup/bootstrap.ts";
import { type Database, embedded, openPostgres } from "../../src/store/database/database.ts";
import { migrate } from "../../src/store/database/migrate.ts";
import { hashSecret } from "../../src/tokens/secret.ts";

/** The location of the migrated database that each test file copies. */
export type Template =
  /** `pooler` is the address of a transaction pooler, if the tests connect through one. */
  { kind: "postgres"; url: string; pooler?: string; name: string } | { kind: "embedded"; dump: string };

/** The creation time of each test database's project, before the clock of any test server, ms. */
export const PROJECT_MADE = 1_763_600_000_000;

/** The console key of every test database. */
export const TEST_KEY = "console-0123456789abcdef";

/** The administrator of every test database. */
export const TEST_ADMINISTRATOR = { email: "ada@example.com", password: "correct horse battery staple" };

/** The secret of a session of the administrator. It begins when the clock of test servers does, and ends long after. */
export const TEST_SESSION = "administrator-of-every-test-database";
const SESSION_TIMES = { used: 1_763_700_000_000, ends: 4_000_000_000_000 };

declare module "vitest" {
  export interface ProvidedContext {
    template: Template;
  }
}

/** Migrates one database for the whole run: on TEST_DATABASE_URL if it is set, embedded if not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? setUpPostgres(project, url) : setUpEmbedded(project);
}

async function setUpPostgres(project: TestProject, url: string) {
  const name = `gatehouse_template_${process.pid}`;
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const database = openPostgres(databaseUrl(url, name));
  await migrate(database);
  await fill(database);
  await database.close();
  project.provide("template", { kind: "postgres", url, name, ...(process.env.TEST_POOLER_URL && { pooler: process.env.TEST_POOLER_URL }) });
  return async () => {
    const left = await admin.query<{ datname: string }>("select datname from pg_database where datname like $1", [`${name}%`]);
    for (const { datname } of left.rows) await admin.query(`drop database ${datname} with (force)`);
    await admin.end();
  };
}

async function setUpEmbedded(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  const files = new FilesAfterClose();
  const database = embedded(await PGlite.create({ fs: files }));
  await migrate(database);
  await fill(database);
  await database.close();
  const dump = join(folder, "template.tar");
  writeFileSync(dump, await files.tar());
  project.provide("template", { kind: "embedded", dump });
  return async () => rmSync(folder, { recursive: true });
}

/** Makes the project, the administrator and a session of them. */
async function fill(database: Database): Promise<void> {
  await bootstrap(database, TEST_KEY, PROJECT_MADE);
  await createAdministrator(TEST_ADMINISTRATOR, { database, now: PROJECT_MADE });
  const { used, ends } = SESSION_TIMES;
  await database.db.$executeRaw`
    insert into session (id, hash, "personID", "createdTime", "lastUsedTime", "endsTime")
    select ${"test"}, ${hashSecret(TEST_SESSION)}, id, ${used}, ${used}, ${ends} from person`;
}

/** Keeps the files of a database that was shut down: each copy of one that still runs would begin with a recovery. */
class FilesAfterClose extends MemoryFS {
  #tar: Blob | undefined;

  override async closeFs(): Promise<void> {
    this.#tar = await this.dumpTar("template", "none");
    await super.closeFs();
  }

  async tar(): Promise<Buffer> {
    if (!this.#tar) throw new Error("The database has not been closed.");
    return Buffer.from(await this.#tar.arrayBuffer());
  }
}

/** The address of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

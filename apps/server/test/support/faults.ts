import pg from "pg";
import { expect } from "vitest";
import { onClickHouse, type TestDatabase } from "./database.ts";
import type { Fixture } from "./fixture-entities.ts";
import { countWaiting } from "./locks.ts";
import { waitFor } from "./wait-for.ts";

/** Hides every table, so that queries fail. The server must have cached the caller's key before. */
export async function breakTables({ prisma }: TestDatabase): Promise<void> {
  await prisma.$executeRaw`alter schema public rename to lost`;
}

/** Hides every table while `work` runs. */
export async function withoutTables<T>(database: TestDatabase, work: () => Promise<T>): Promise<T> {
  await breakTables(database);
  try {
    return await work();
  } finally {
    await database.prisma.$executeRaw`alter schema lost rename to public`;
  }
}

/** Makes every write of the change log fail while `work` runs. */
export async function withRefusedChanges<T>({ prisma }: TestDatabase, work: () => Promise<T>): Promise<T> {
  await prisma.$executeRaw`alter table change add constraint refused check (false) not valid`;
  try {
    return await work();
  } finally {
    await prisma.$executeRaw`alter table change drop constraint refused`;
  }
}

/**
 * A fingerprint of the rows of each table, which differs after every write. Omits the last use of keys and the requests of SDKs, which are
 * stored asynchronously.
 */
export function fingerprintRows(database: TestDatabase): Promise<unknown[]> {
  return fingerprints(database, () => "true");
}

/** The same without events of the audit log, and without the number that they give to their project. */
export function rowsWithoutEvents(database: TestDatabase): Promise<unknown[]> {
  return fingerprints(database, (columns) => {
    if (columns.includes("lastSeq") || columns.includes("windowStart")) return "false";
    return columns.includes("version") ? "version is distinct from 0" : "true";
  });
}

/** The same without scheduled changes, their changes in the log, and the answers that were kept for their requests. */
export function rowsWithoutSchedules(database: TestDatabase): Promise<unknown[]> {
  return fingerprints(database, (columns) => {
    if (["lastSeq", "entityKeys", "fingerprint"].some((column) => columns.includes(column))) return "false";
    return columns.includes("entityType") ? `"entityType" is distinct from 'scheduled_change'` : "true";
  });
}

/** A fingerprint of the rows of each table, without some projects and rows that only their members have. */
export function rowsOutside(database: TestDatabase, ...projectIDs: string[]): Promise<unknown[]> {
  const ids = projectIDs.map((id) => `'${id}'`).join();
  return fingerprints(database, (columns) => {
    const project = ["projectID", "id"].find((column) => columns.includes(column));
    if (project !== "projectID" && columns.includes("personID"))
      // The audit log remembers members of projects that are gone.
      return `"personID" not in (
        select id from member where "projectID" in (${ids})
        union all select "entityID" from change where "projectID" in (${ids}) and "entityType" = 'member'
      )`;
    return project ? `"${project}"::text not in (${ids})` : "false";
  });
}

/** Tables that change by themselves: the outbox is sent to ClickHouse, and servers note that they see the database. */
const CHANGING = ["database_place", ...(onClickHouse ? ["event_outbox"] : [])];

type Table = { name: string; columns: string[] };
const knownTables = new WeakMap<TestDatabase["prisma"], Promise<Table[]>>();

function readTables({ prisma }: TestDatabase): Promise<Table[]> {
  const known =
    knownTables.get(prisma) ??
    prisma.$queryRaw<Table[]>`
      select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' and table_name <> all(${CHANGING}) group by 1 order by 1`;
  knownTables.set(prisma, known);
  return known;
}

/**
 * Every write gives a row another `xmin`, and a deletion changes the count. Both are far cheaper to read than the rows. The use of a key is a write
 * too, so tables that note it are compared by the rest of their columns.
 */
async function fingerprints(database: TestDatabase, where: (columns: string[]) => string): Promise<unknown[]> {
  const tables = (await readTables(database)).filter(({ name }) => name !== "sdk_report");
  const queries = tables.map(({ name, columns }) => {
    const rows = columns.includes("lastUsedTime")
      ? `md5(string_agg(row::text, '|' order by row::text)) from (select to_jsonb(t) - 'lastUsedTime' as row, t.* from "${name}" t) rows`
      : `sum(xmin::text::bigint)::text from "${name}"`;
    return `select '${name}' as name, count(*)::int, ${rows} where ${where(columns)}`;
  });
  // Postgres may read the tables in any order.
  return database.prisma.$queryRawUnsafe(`${queries.join(" union all ")} order by 1`);
}

/**
 * Sends a request that waits for an entity's row, until another transaction's write of the row commits. Takes that write back at the end, so
 * that the entity is as it was.
 */
export async function overtake<T>(database: TestDatabase, { table, key }: Fixture, send: () => Promise<T>): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  const where = Object.keys(key).map((column, index) => `"${column}" = $${index + 1}`);
  const countUp = (by: number) =>
    client.query(`update "${table}" set version = version + ${by} where ${where.join(" and ")}`, Object.values(key));
  try {
    await client.query("begin");
    expect((await countUp(1)).rowCount).toBe(1);
    const answer = send();
    let isAnswered = false;
    const settled = answer.finally(() => {
      isAnswered = true;
    });
    // A request that fails before it writes is answered without waiting.
    await waitFor(async () => expect(isAnswered || (await countWaiting(database)) > 0).toBe(true));
    await client.query("commit");
    await settled;
    await countUp(-1);
    return await answer;
  } finally {
    await client.end();
  }
}

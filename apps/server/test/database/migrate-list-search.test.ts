import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { listingColumns, searchTextOf } from "../../src/store/entities/listing.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const TEXTS = [
  "Plain ASCII, UPPER and lower",
  "ÄÖÜ ẞ Ÿ Σίσυφος ΣΑΣ ЁЖ İstanbul ǅ 𐐀𐐁 🙂",
  "tabs\tand\nlines\r\n and\u00a0other\u3000spaces\u0085",
  "quotes \" \\ ' % _ {}",
  "",
  "aaaa aaaa ab",
  Array.from({ length: 1_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))).join(""),
];
/** The kinds that are younger than the search have no rows to migrate. */
const LATER = ["alert", "assignment_source", "autotune", "entity_property_source", "ingestion_source", "metric", "qualifying_event"];
const listed = entitySlices.flatMap(({ kind }) =>
  kind.listing && !LATER.includes(kind.table) ? [{ ...kind, listing: kind.listing }] : [],
);

let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0020"),
  );
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'p', 1)`);
    for (const { table } of listed) {
      for (const [index, description] of TEXTS.entries()) await insert(query, table, `${index}`, entityOf(table, index, description));
    }
    await insert(query, "gate", "broken", { ...entityOf("gate", 8, "a\ud800b"), status: "Launched" });
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

function entityOf(table: string, index: number, description: string): Record<string, unknown> {
  const key = table === "param_store" || table === "metric_source" ? { name: `${index}` } : { id: `${index}`, name: `Name ${index}` };
  const shared = { ...key, description, version: 1, createdTime: 7, lastModifiedTime: 8 + index };
  const { name: _, ...withoutName } = shared as typeof shared & { name?: string };
  if (table === "person")
    return { ...withoutName, description: undefined, email: `${index}@EXAMPLE.com`, firstName: "Ada", lastName: `Ö${index}` };
  if (table === "key") return index === 4 ? { ...withoutName, description: null } : withoutName;
  if (table === "prompt" || table === "param_store") return { ...shared, displayName: `Shown ${index}` };
  if (table === "gate") return { ...shared, status: "Disabled" };
  if (table === "dynamic_config") return { ...shared, status: "Enabled" };
  return shared;
}

type Query = Parameters<Parameters<Database["withSession"]>[0]>[0]["query"];

/** Inserts a row, with values for whatever other columns the table demands. */
async function insert(query: Query, table: string, id: string, entity: object): Promise<void> {
  const columns = await query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  );
  const given: Record<string, unknown> = { projectID: "p", id, name: id, version: 1, createdTime: 7, entity: JSON.stringify(entity) };
  const other: Record<string, unknown> = { text: `${table} ${id}`, boolean: false, bigint: 5, integer: 5, ARRAY: [] };
  const values = columns.map(({ name, type }) => given[name] ?? other[type]);
  const places = values.map((_, index) => `$${index + 1}`);
  await query(`insert into "${table}" (${columns.map(({ name }) => `"${name}"`)}) values (${places})`, values);
}

describe("0020_list_search", () => {
  test.each(listed.map((kind) => [kind.type, kind] as const))("gives rows of %s what the server gives new ones", async (_, kind) => {
    type Stored = { id: string; entity: string; lastModifiedTime: bigint; sortName: string; searchText: string; searchGrams: number[] };
    const stored = await database.withSession(({ query }) =>
      query<Stored>(`select "${kind.idColumn ?? "id"}" as id, * from "${kind.table}" where entity not like '%ud800%' order by 1`),
    );
    expect(stored.map(({ id }) => id)).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    for (const { id, entity: text, ...row } of stored) {
      const entity = JSON.parse(text);
      const searchText = searchTextOf(kind.listing, id, entity);
      const { searchGrams, ...columns } = listingColumns(kind.listing, searchText, entity);
      expect({ lastModifiedTime: Number(row.lastModifiedTime), sortName: row.sortName }).toEqual(columns);
      expect(new Set(row.searchText.split("\n"))).toEqual(new Set(searchText.split("\n")));
      expect(row.searchGrams).toEqual(expect.arrayContaining(searchGrams as number[]));
    }
  });

  test("fills the status of gates and dynamic configs", async () => {
    const rows = await database.withSession(({ query }) =>
      query(`select distinct status from gate where id <> 'broken' union all select distinct status from dynamic_config`),
    );
    expect(rows).toEqual([{ status: "Disabled" }, { status: "Enabled" }]);
  });

  test("finds an entity with half a surrogate pair by its id", async () => {
    const [row] = await database.withSession(({ query }) => query(`select * from gate where id = 'broken'`));
    expect(row).toMatchObject({
      sortName: "broken",
      searchText: "broken",
      lastModifiedTime: expect.anything(),
      status: "Launched",
    });
  });
});

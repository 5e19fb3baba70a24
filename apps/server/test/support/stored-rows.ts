import type { PROJECT_TABLES } from "../../src/results/sql/clickhouse-tables.ts";
import { eventReader } from "../../src/store/database/ask.ts";
import type { TestDatabase } from "./database.ts";

type Row = Record<string, string | number | boolean | null>;

/** The rows of a table of events or exposures, with whole numbers as numbers, wherever the server stores them. */
export async function storedRows(
  { db }: TestDatabase,
  table: (typeof PROJECT_TABLES)[number],
  where: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const rows = await eventReader(db).read<Record<string, Row[string] | bigint>>((bind) => {
    const conditions = Object.entries(where).map(([column, value]) => `"${column}" = ${bind.text(value)}`);
    return `select * from ${table} where ${conditions.join(" and ")}`;
  });
  return rows.map(({ earliness: _, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, typeof value === "bigint" ? Number(value) : value])),
  );
}

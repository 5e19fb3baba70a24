import { Prisma } from "../../generated/prisma/client.ts";
import type { Table } from "./table.ts";

/** Columns and their values. Names of columns come from stores, never from callers. */
export type Row = { [column: string]: string | number | boolean | string[] | number[] | null };

export function insertRow(table: Table, row: Row): Prisma.Sql {
  const columns = Prisma.join(Object.keys(row).map(name));
  return Prisma.sql`insert into ${name(table)} (${columns}) values (${Prisma.join(Object.values(row))})`;
}

/** Updates the row with this key, which may include the expected version. */
export function updateRow(table: Table, key: Row, row: Row): Prisma.Sql {
  const assignments = Prisma.join(Object.entries(row).map(([column, value]) => Prisma.sql`${name(column)} = ${value}`));
  return Prisma.sql`update ${name(table)} set ${assignments} where ${matches(key)}`;
}

/** Deletes the row with this key, which may include the expected version. */
export function deleteRow(table: Table, key: Row): Prisma.Sql {
  return Prisma.sql`delete from ${name(table)} where ${matches(key)}`;
}

/** `"projectID" = … and "id" = …` */
export function matches(key: Row): Prisma.Sql {
  return Prisma.join(
    Object.entries(key).map(([column, value]) => Prisma.sql`${name(column)} = ${value}`),
    " and ",
  );
}

/** A table or column, quoted. */
export function name(identifier: string): Prisma.Sql {
  return Prisma.raw(`"${identifier}"`);
}

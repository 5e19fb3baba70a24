import { Prisma } from "../generated/prisma/client.ts";
import { name } from "./row.ts";

type Value = string | number | boolean | null | undefined;

/** What a list asks of its rows. A filter that is not given asks nothing. */
export const filters = {
  /** Columns that have a value. */
  equal(columns: { [column: string]: Value }): Prisma.Sql[] {
    return given(columns).map(([column, value]) => Prisma.sql`${name(column)} = ${value}`);
  },

  /** Columns that have one of some values. */
  oneOf(columns: { [column: string]: string[] | undefined }): Prisma.Sql[] {
    return given(columns).map(([column, values]) => Prisma.sql`${name(column)} = any(${values}::text[])`);
  },

  /** Columns, lists themselves, that hold a value or every one of some values. */
  holding(columns: { [column: string]: string | string[] | undefined }): Prisma.Sql[] {
    return given(columns).map(([column, values]) => Prisma.sql`${name(column)} @> ${[values].flat()}::text[]`);
  },
};

function given<T>(columns: { [column: string]: T | null | undefined }): [string, T][] {
  return Object.entries(columns).filter((entry): entry is [string, T] => entry[1] !== undefined && entry[1] !== null);
}

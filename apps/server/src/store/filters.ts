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

  /** What names a target app, which is given by its id or its name and may be named by either. */
  ofTargetApp(projectID: string, idOrName: string | undefined): Prisma.Sql[] {
    if (idOrName === undefined) return [];
    const app = Prisma.sql`
      select array[id, name] from target_app where "projectID" = ${projectID} and (id = ${idOrName} or name = ${idOrName})
      order by id = ${idOrName} desc limit 1`;
    return [Prisma.sql`"targetApps" && (array[${idOrName}] || coalesce((${app}), '{}'))`];
  },
};

function given<T>(columns: { [column: string]: T | null | undefined }): [string, T][] {
  return Object.entries(columns).filter((entry): entry is [string, T] => entry[1] !== undefined && entry[1] !== null);
}

import { DAY_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { name } from "../database/row.ts";

type Value = string | number | boolean | null | undefined;

/** The labels by which a list filters. */
export type Labels = { teamID?: string; ownerID?: string; tags?: string[] };

/** Conditions of lists. A filter that is undefined or null adds none. */
export const filters = {
  /** Columns that equal a value. */
  equal(columns: { [column: string]: Value }): Prisma.Sql[] {
    return given(columns).map(([column, value]) => Prisma.sql`${name(column)} = ${value}`);
  },

  /** Columns that equal one of several values. */
  oneOf(columns: { [column: string]: string[] | undefined }): Prisma.Sql[] {
    return given(columns).map(([column, values]) => Prisma.sql`${name(column)} = any(${values}::text[])`);
  },

  /** Columns that are below a value. Those without a value are not. */
  below(columns: { [column: string]: number | null | undefined }): Prisma.Sql[] {
    return given(columns).map(([column, value]) => Prisma.sql`${name(column)} < ${value}`);
  },

  /** Entities that were created on a day of UTC or later, and on one or earlier. Days are such as 2025-11-01. */
  createdBetween(first: string | undefined, last: string | undefined): Prisma.Sql[] {
    return [
      ...(first === undefined ? [] : [Prisma.sql`"createdTime" >= ${Date.parse(first)}`]),
      ...(last === undefined ? [] : [Prisma.sql`"createdTime" < ${Date.parse(last) + DAY_MS}`]),
    ];
  },

  /** Array columns that contain a value, or all of several values. */
  holding(columns: { [column: string]: string | string[] | undefined }): Prisma.Sql[] {
    return given(columns).map(([column, values]) => Prisma.sql`${name(column)} @> ${[values].flat()}::text[]`);
  },

  /** Entities of a team and of an owner that have all the tags. */
  labeled({ tags, ...equal }: Labels): Prisma.Sql[] {
    return [...filters.equal(equal), ...filters.holding({ tags })];
  },

  /** Entities of a target app. Both the filter and the entity may have its id or its name. */
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

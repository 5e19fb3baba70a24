import { Prisma } from "../../generated/prisma/client.ts";
import { withNumber } from "../../store/entity-text.ts";
import type { Found } from "../../store/kind.ts";
import { HOUR_MS } from "./hour.ts";

/** The table that has the checks of entities by the hour: under which column their ids stand, and how many checks a row has. */
type Counted = { table: Prisma.Sql; id: Prisma.Sql; checks: Prisma.Sql };

/**
 * About how often an entity was checked within the last hour: so often as in the hour that the clock shows, and of the hour before as much as
 * reaches into the last 60 minutes. @param now ms since the epoch
 */
export function foundChecks<E extends { checksPerHour: number }>(now: number, { table, id, checks }: Counted): Found<E> {
  const hour = now - (now % HOUR_MS);
  const share = 1 - (now - hour) / HOUR_MS;
  return {
    // Rounded up: zero means that it was not checked at all.
    column: (entity) => Prisma.sql`(
      select coalesce(ceil(round(
        sum(${checks} * case when "hour" < ${hour}::bigint then ${share}::numeric else 1 end), 6
      )), 0)::float8
      from ${table} as checks
      where checks."projectID" = ${entity}."projectID" and ${id} = ${entity}."id" and "hour" >= ${hour - HOUR_MS}::bigint)`,
    put: (entity, checksPerHour) =>
      entity.checksPerHour === checksPerHour ? entity : withNumber(entity, "checksPerHour", checksPerHour as number),
  };
}

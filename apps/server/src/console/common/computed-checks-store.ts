import { HOUR_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { withNumber } from "../../store/change-log/entity-text.ts";
import type { Computed } from "../../store/entities/kind.ts";

/** A table of checks per entity and hour, its column of ids, and an expression for the number of checks in a row. */
type Counted = { table: Prisma.Sql; id: Prisma.Sql; checks: Prisma.Sql };

/**
 * Estimates the checks of an entity in the last 60 minutes: those of the current clock hour, and the share of the previous hour within the
 * last 60 minutes. @param now ms since the epoch
 */
export function computedChecks<E extends { checksPerHour: number }>(now: number, { table, id, checks }: Counted): Computed<E> {
  const hour = now - (now % HOUR_MS);
  const share = 1 - (now - hour) / HOUR_MS;
  return {
    // Rounded up, so that zero means no check at all.
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

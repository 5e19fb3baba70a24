import { HOUR_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Counted, ExposedType } from "./exposure-count.ts";

type Tables = { entity: Prisma.Sql; checks: Prisma.Sql; id: Prisma.Sql; count: Prisma.Sql };

const TABLES: Record<ExposedType, Tables> = {
  experiments: {
    entity: Prisma.sql`experiment`,
    checks: Prisma.sql`experiment_checks`,
    id: Prisma.sql`"experimentID"`,
    count: Prisma.sql`checks`,
  },
  gates: {
    entity: Prisma.sql`gate`,
    checks: Prisma.sql`gate_checks`,
    id: Prisma.sql`"gateID"`,
    count: Prisma.sql`passes + fails + empties`,
  },
  dynamicConfigs: {
    entity: Prisma.sql`dynamic_config`,
    checks: Prisma.sql`dynamic_config_checks`,
    id: Prisma.sql`"configID"`,
    count: Prisma.sql`checks`,
  },
};

/** Reads the hourly counts of the event intake. */
export function createExposureCountStore({ db, projectID }: StoreDeps) {
  return {
    /** In the order of the ids. @param now ms since the epoch */
    async count(type: ExposedType, ids: readonly string[], now: number): Promise<Counted[]> {
      const { entity, checks, id, count } = TABLES[type];
      const hour = now - (now % HOUR_MS);
      const since = (days: number) => Prisma.sql`${hour - days * 24 * HOUR_MS}::bigint`;
      const rows = await db.$queryRaw<{ id: string; exists: boolean; pastDay: number; past7Days: number; hours: number[] }[]>`
        select asked.id, exists (select from ${entity} as entity where entity."projectID" = ${projectID} and entity.id = asked.id) as "exists",
          coalesce(sum(${count}) filter (where hour >= ${since(1)}), 0)::float8 as "pastDay", coalesce(sum(${count}), 0)::float8 as "past7Days",
          array(
            select coalesce((
              select sum(${count}) from ${checks} as one where one."projectID" = ${projectID} and one.${id} = asked.id and one.hour = each.hour
            ), 0)::float8
            from generate_series(${hour - 23 * HOUR_MS}::bigint, ${hour}::bigint, ${HOUR_MS}::bigint) as each (hour) order by each.hour
          ) as hours
        from unnest(${[...ids]}::text[]) with ordinality as asked (id, place)
        left join ${checks} as counted on counted."projectID" = ${projectID} and counted.${id} = asked.id and hour >= ${since(7)}
        group by asked.id, place order by place`;
      return rows.map(({ id: one, exists, ...counts }) => ({ id: one, counts: exists ? counts : undefined }));
    },
  };
}

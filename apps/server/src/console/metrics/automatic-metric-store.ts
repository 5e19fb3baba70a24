import { Prisma } from "../../generated/prisma/client.ts";
import { SDK_EVENTS } from "../../results/sql/logged.ts";
import { searchedWords, sortColumns, type Window } from "../../store/entities/listing.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { type Automatic, type AutomaticType, automaticMetric, automaticName, COUNTED, USER_METRICS } from "./automatic-metric.ts";
import type { Metric } from "./metric.ts";

type Row = Omit<Automatic, "createdTime"> & { createdTime: bigint };
type Filter = { name?: string | undefined; type?: AutomaticType | undefined };

/** Metrics that exist without being created. They have no table: a count exists as soon as an event of its name is stored. */
export function automaticMetrics({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const counts = Prisma.sql`
    select "name", 'event_count' as "type", min("firstTime") as "createdTime", ${COUNTED[0]} || "name" || ${COUNTED[1]} as description
    from event_count where "projectID" = ${projectID} and not starts_with("name", ${SDK_EVENTS}) group by "name"`;
  const ofUsers = Prisma.sql`
    select each."name", 'user' as "type", project."createdTime", each.description
    from unnest(${Object.keys(USER_METRICS)}::text[], ${Object.values(USER_METRICS)}::text[]) as each("name", description)
    join project on project.id = ${projectID}`;
  const all = Prisma.sql`(
    select "name" || '::' || "type" as id, "name", "type", "createdTime", "createdTime" as "lastModifiedTime", lower("name") as "sortName",
      lower("name" || '::' || "type" || chr(10) || description) as "searchText"
    from (${counts} union all ${ofUsers}) as named
  ) as automatic`;
  const answer = (rows: Row[]): Metric[] => rows.map((row) => automaticMetric({ ...row, createdTime: Number(row.createdTime) }));

  return {
    /** In the window's order; newest first by default. */
    async list({ name, type }: Filter, window: Window): Promise<{ data: Metric[]; total: number }> {
      const conditions = [
        Prisma.sql`true`,
        ...(name === undefined ? [] : [Prisma.sql`"name" = ${name}`]),
        ...(type === undefined ? [] : [Prisma.sql`"type" = ${type}`]),
        ...searchedWords(window.search).map((word) => Prisma.sql`strpos("searchText", ${word}) > 0`),
      ];
      const where = Prisma.join(conditions, " and ");
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<Row[]>`
          select "name", "type", "createdTime" from ${all} where ${where} order by ${sortColumns(window, "id")} limit ${window.take} offset ${window.skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total from ${all} where ${where}`,
      ]);
      return { data: answer(rows), total: counted?.total ?? 0 };
    },

    /** The existing metrics with these ids. */
    async findAll(ids: readonly string[]): Promise<Metric[]> {
      const named = ids.flatMap((id) => automaticName(id) ?? []);
      if (named.length === 0) return [];
      const listNames = (type: AutomaticType) => named.filter((one) => one.type === type).map(({ name }) => name);
      const counted = listNames("event_count").filter((name) => !name.startsWith(SDK_EVENTS));
      const rows = await db.$queryRaw<Row[]>`
        select "name", 'event_count' as "type", min("firstTime") as "createdTime" from event_count
        where "projectID" = ${projectID} and "name" = any(${counted}::text[]) group by "name"
        union all select "name", "type", "createdTime" from (${ofUsers}) as named where "name" = any(${listNames("user")}::text[])`;
      return answer(rows);
    },
  };
}

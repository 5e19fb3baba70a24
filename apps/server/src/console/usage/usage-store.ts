import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Usage, UsageDay } from "./usage.ts";

/** The tables with hourly counts of the event intake. */
const CHECKS = Prisma.sql`
  select "projectID", hour, passes + fails + empties as count from gate_checks
  union all select "projectID", hour, checks from dynamic_config_checks`;
const EXPOSURES = Prisma.sql`select "projectID", hour, checks as count from experiment_checks`;

const utcDayOf = (date: string) => Date.parse(date) / 86_400_000;

/** Reads what a project used from the counts that are stored anyway. */
export function createUsageStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  /** Sums of hourly counts by the index of the day. */
  async function sumHours(counts: Prisma.Sql, days: readonly UsageDay[]): Promise<Map<number, number>> {
    const rows = await db.$queryRaw<{ day: number; count: number }[]>`
      select width_bucket(hour, ${days.map(({ start }) => start)}::bigint[]) - 1 as day, sum(count)::float8 as count from (${counts}) as counted
      where "projectID" = ${projectID} and hour >= ${days[0]?.start ?? 0} and hour < ${days.at(-1)?.end ?? 0} group by 1`;
    return new Map(rows.map(({ day, count }) => [day, count]));
  }

  /** The events that arrived by UTC day, and the first day that is still stored. */
  async function countEvents(days: readonly UsageDay[]): Promise<{ byDay: Map<number, number>; first: number }> {
    const numbers = days.map(({ date }) => utcDayOf(date));
    const [rows, [earliest]] = await Promise.all([
      db.$queryRaw<{ day: number; count: number }[]>`
        select day, sum(count)::float8 as count from event_count
        where "projectID" = ${projectID} and day between ${numbers[0] ?? 0} and ${numbers.at(-1) ?? 0} group by day`,
      db.$queryRaw<{ first: number | null }[]>`select min(day) as first from event_count where "projectID" = ${projectID}`,
    ]);
    return { byDay: new Map(rows.map(({ day, count }) => [day, count])), first: earliest?.first ?? Number.POSITIVE_INFINITY };
  }

  /** How many entities of a type existed at the end of each day, from their creations and deletions in the change log. */
  async function countExisting(type: "key" | "member", days: readonly UsageDay[]): Promise<number[]> {
    const rows = await db.$queryRaw<{ day: number; change: number }[]>`
      select width_bucket("time", ${days.map(({ end }) => end)}::bigint[]) as day,
        (count(*) filter (where before is null) - count(*) filter (where after is null))::int as change from change
      where "projectID" = ${projectID} and "entityType" = ${type} and version > 0 and (before is null) <> (after is null) group by 1`;
    const changes = new Map(rows.map(({ day, change }) => [day, change]));
    let count = 0;
    return days.map((_, index) => {
      count += changes.get(index) ?? 0;
      return count;
    });
  }

  return {
    /** When the project was created, ms since the epoch. */
    async createdTime(): Promise<number> {
      const [row] = await db.$queryRaw<
        { createdTime: number }[]
      >`select "createdTime"::float8 as "createdTime" from project where id = ${projectID}`;
      return row?.createdTime ?? 0;
    },

    /** The usage of consecutive days. */
    async list(days: readonly UsageDay[]): Promise<Usage[]> {
      const [checks, exposures, events, keys, people] = await Promise.all([
        sumHours(CHECKS, days),
        sumHours(EXPOSURES, days),
        countEvents(days),
        countExisting("key", days),
        countExisting("member", days),
      ]);
      return days.map(({ date }, index) => ({
        date,
        checks: checks.get(index) ?? 0,
        exposures: exposures.get(index) ?? 0,
        events: utcDayOf(date) < events.first ? null : (events.byDay.get(utcDayOf(date)) ?? 0),
        keys: keys[index] ?? 0,
        people: people[index] ?? 0,
      }));
    },
  };
}

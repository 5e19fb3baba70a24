import { utcDay } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Bind } from "../../results/sql/statement.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { Event, EventCount, EventFilter, EventName } from "./event.ts";

type EventRow = { name: string; time: bigint | number; source: string; value: string; userID: string; metadata: string };
/** How many events of a name arrived on a day, in UTC and counted from the epoch. */
export type DailyCount = { name: string; day: number; count: number };
type EventNameRow = { name: string; count: bigint; firstTime: bigint; lastTime: bigint; lastDay: number };

const COLUMNS = `"name", "time", "source", "value", "userID", "metadata"`;
/** The most events among which a filter searches. */
const MAX_SEARCHED = 10_000;
/** Names whose latest events are read by one statement. */
const NAMES_PER_STATEMENT = 100;

/** Events are data, not configuration: the event intake only appends them, and the change log does not have them. */
export function createEventStore({ db, projectID }: StoreDeps) {
  const { dialect, read } = eventReader(db);

  /** Reads a bounded number of events in the order of an index, regardless of the filter's matches among them. */
  async function listFiltered(name: string, { userID, entityID }: EventFilter, { skip, take }: Window) {
    const found = (columns: string, bind: Bind) => {
      const searched =
        entityID === undefined
          ? `select * from event where "projectID" = ${bind.text(projectID)} and "name" = ${bind.text(name)} order by "time" desc, "id" desc`
          : `select * from event where "projectID" = ${bind.text(projectID)} and "exposed" = ${bind.text(entityID)} order by "day" desc, "id" desc`;
      return `select ${columns} from (${searched} limit ${MAX_SEARCHED}) as searched
        where "name" = ${bind.text(name)}${userID === undefined ? "" : ` and "userID" = ${bind.text(userID)}`}`;
    };
    const [rows, [counted]] = await Promise.all([
      read<EventRow>((bind) => `${found(COLUMNS, bind)} order by "time" desc, "id" desc limit ${take} offset ${skip}`),
      read<{ total: bigint | number }>((bind) => found("count(*) as total", bind)),
    ]);
    return { events: rows.map(toEvent), total: Number(counted?.total ?? 0) };
  }

  /** The latest event of each name, by name. Each is found by an index, in the rows of one day. */
  async function findLatest(names: EventNameRow[]): Promise<Map<string, EventRow>> {
    const latest = new Map<string, EventRow>();
    for (let first = 0; first < names.length; first += NAMES_PER_STATEMENT) {
      const part = names.slice(first, first + NAMES_PER_STATEMENT);
      const rows = await read<EventRow>((bind) => {
        const project = bind.text(projectID);
        const one = ({ name, lastTime, lastDay }: EventNameRow) =>
          `select * from (select ${COLUMNS} from event where "projectID" = ${project} and "name" = ${bind.text(name)}
            and "time" = ${bind.integer(Number(lastTime))} and "day" = ${bind.integer(lastDay)} order by "id" desc limit 1) as latest`;
        return part.map(one).join(" union all ");
      });
      for (const row of rows) latest.set(row.name, row);
    }
    return latest;
  }

  return {
    /** The dialect of statements about events. */
    dialect,

    /**
     * Sorted by name.
     * @param search only names that contain it, in upper or lower case
     */
    async listNames(search: string | undefined, { skip, take }: Window): Promise<{ names: EventName[]; total: number }> {
      const named = Prisma.sql`"projectID" = ${projectID} and ${search === undefined ? Prisma.sql`true` : Prisma.sql`position(lower(${search}) in lower("name")) > 0`}`;
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<EventNameRow[]>`
          select "name", sum("count")::bigint as "count", min("firstTime") as "firstTime", max("lastTime") as "lastTime",
            (array_agg("day" order by "lastTime" desc, "day" desc))[1] as "lastDay"
          from event_count where ${named} group by "name" order by "name" limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(distinct "name")::int as total from event_count where ${named}`,
      ]);
      const latest = await findLatest(rows);
      return { names: rows.map((row) => toEventName(row, latest.get(row.name))), total: counted?.total ?? 0 };
    },

    /** Latest first. Without a filter, the total comes from the counts, so that its cost does not grow with the number of events. */
    async list(name: string, filter: EventFilter, { skip, take }: Window): Promise<{ events: Event[]; total: number }> {
      if (filter.userID !== undefined || filter.entityID !== undefined) return listFiltered(name, filter, { skip, take });
      const [rows, [counted]] = await Promise.all([
        read<EventRow>(
          (bind) => `select ${COLUMNS} from event where "projectID" = ${bind.text(projectID)} and "name" = ${bind.text(name)}
            order by "time" desc, "id" desc limit ${take} offset ${skip}`,
        ),
        db.$queryRaw<{ total: bigint }[]>`
          select coalesce(sum("count"), 0)::bigint as total from event_count where "projectID" = ${projectID} and "name" = ${name}`,
      ]);
      return { events: rows.map(toEvent), total: Number(counted?.total ?? 0) };
    },

    /** How many events of any of the names arrived on each day, by its date. @param names all if undefined @param since the first day, ms */
    async sumByDay(names: readonly string[] | undefined, since: number): Promise<Map<string, number>> {
      const rows = await db.$queryRaw<{ date: string; count: number }[]>`
        select to_char(date '1970-01-01' + "day", 'YYYY-MM-DD') as "date", sum("count")::float8 as "count" from event_count
        where "projectID" = ${projectID} and ${names ? Prisma.sql`"name" = any(${[...names]}::text[])` : Prisma.sql`true`}
          and "day" >= ${utcDay(since)} group by "day"`;
      return new Map(rows.map(({ date, count }) => [date, Number(count)]));
    },

    /** How many events of the names arrived on each day, the latest day first. @param first the first day, in UTC and counted from the epoch */
    listDailyCounts: (names: readonly string[], first: number): Promise<DailyCount[]> =>
      db.$queryRaw<DailyCount[]>`
        select "name", "day", "count"::float8 as "count" from event_count
        where "projectID" = ${projectID} and "name" = any(${[...names]}::text[]) and "day" >= ${first} order by "day" desc`,

    /** Whether events that arrived since a time, ms, were deleted by the retention. Those of undecided experiments are kept. */
    async haveBeenDropped(since: number): Promise<boolean> {
      const rows = await db.$queryRaw<object[]>`select from dropped_event_day where "day" >= ${utcDay(since)} limit 1`;
      return rows.length > 0;
    },

    /** The days on which events of the name arrived, the earliest first. */
    async countByDay(name: string): Promise<EventCount[]> {
      const rows = await db.$queryRaw<{ date: string; count: bigint }[]>`
        select to_char(date '1970-01-01' + "day", 'YYYY-MM-DD') as "date", "count" from event_count
        where "projectID" = ${projectID} and "name" = ${name} order by "day"`;
      return rows.map(({ date, count }) => ({ date, count: Number(count) }));
    },
  };
}

function toEvent({ time, metadata, ...row }: EventRow): Event {
  return { timestamp: String(time), ...row, metadata: JSON.parse(metadata) };
}

/** @param latest undefined if its day is deleted at this moment */
function toEventName({ name, count, firstTime, lastTime }: EventNameRow, latest: EventRow | undefined): EventName {
  const event = toEvent(latest ?? { name, time: lastTime, source: "", value: "", userID: "", metadata: "{}" });
  return { ...event, count: Number(count), firstTime: Number(firstTime), lastTime: Number(lastTime) };
}

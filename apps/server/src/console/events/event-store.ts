import type { StoreDeps } from "../../store/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { Event, EventName } from "./event.ts";

type EventRow = { name: string; time: bigint; source: string; value: string; userID: string; metadata: string };
type EventNameRow = { name: string; count: bigint; firstTime: bigint; lastTime: bigint };

/** Events are data, not configuration: the event intake only appends them, and the change log does not have them. */
export function createEventStore({ db, projectID }: StoreDeps) {
  return {
    /** Sorted by name. */
    async listNames({ skip, take }: Window): Promise<{ names: EventName[]; total: number }> {
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<EventNameRow[]>`
          select "name", sum("count")::bigint as "count", min("firstTime") as "firstTime", max("lastTime") as "lastTime"
          from event_count where "projectID" = ${projectID} group by "name" order by "name" limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(distinct "name")::int as total from event_count where "projectID" = ${projectID}`,
      ]);
      return { names: rows.map(toEventName), total: counted?.total ?? 0 };
    },

    /** Latest first. The total comes from the counts, so that its cost does not grow with the number of events. */
    async list(name: string, { skip, take }: Window): Promise<{ events: Event[]; total: number }> {
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<EventRow[]>`
          select "name", "time", "source", "value", "userID", "metadata" from event
          where "projectID" = ${projectID} and "name" = ${name} order by "time" desc, "id" desc limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: bigint }[]>`
          select coalesce(sum("count"), 0)::bigint as total from event_count where "projectID" = ${projectID} and "name" = ${name}`,
      ]);
      return { events: rows.map(toEvent), total: Number(counted?.total ?? 0) };
    },
  };
}

function toEvent({ time, metadata, ...row }: EventRow): Event {
  return { timestamp: String(time), ...row, metadata: JSON.parse(metadata) };
}

function toEventName({ name, count, firstTime, lastTime }: EventNameRow): EventName {
  return { name, count: Number(count), firstTime: Number(firstTime), lastTime: Number(lastTime) };
}

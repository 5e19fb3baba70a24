import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { countByName, type Event, type EventName } from "./event.ts";

/** Events are data, not configuration: they are only ever added, and have no rows in the change log. */
export function createEventStore({ db, projectID }: StoreContext) {
  return {
    /** Adds a batch and its counts: two statements, however long it is. */
    async append(events: Event[]): Promise<void> {
      await db.$executeRaw`
        insert into event ("projectID", "name", "time", "entity")
        select ${projectID}, "name", "time", "entity"
        from unnest(
          ${events.map(({ name }) => name)}::text[],
          ${events.map(({ timestamp }) => BigInt(timestamp))}::bigint[],
          ${events.map(toText)}::text[]
        ) as batch ("name", "time", "entity")`;
      const names = countByName(events);
      // In the order of the names, so that batches which arrive together lock their rows in the same order.
      await db.$executeRaw`
        insert into event_name as kept ("projectID", "name", "count", "firstTime", "lastTime")
        select ${projectID}, "name", "count", "firstTime", "lastTime"
        from unnest(
          ${names.map(({ name }) => name)}::text[],
          ${names.map(({ count }) => BigInt(count))}::bigint[],
          ${names.map(({ firstTime }) => BigInt(firstTime))}::bigint[],
          ${names.map(({ lastTime }) => BigInt(lastTime))}::bigint[]
        ) as batch ("name", "count", "firstTime", "lastTime")
        order by "name"
        on conflict ("projectID", "name") do update set
          "count" = kept."count" + excluded."count",
          "firstTime" = least(kept."firstTime", excluded."firstTime"),
          "lastTime" = greatest(kept."lastTime", excluded."lastTime")`;
    },

    /** In the order of the names. */
    async listNames(window: Window): Promise<{ names: EventName[]; total: number }> {
      const [rows, total] = await Promise.all([
        db.eventName.findMany({ where: { projectID }, ...window, orderBy: { name: "asc" } }),
        db.eventName.count({ where: { projectID } }),
      ]);
      return { names: rows.map(toEventName), total };
    },

    /** Latest first; none for a name that was never seen. The total comes from the counts, so that it costs the same for any number. */
    async list(name: string, window: Window): Promise<{ events: Event[]; total: number }> {
      const [rows, counted] = await Promise.all([
        db.event.findMany({
          where: { projectID, name },
          ...window,
          orderBy: [{ time: "desc" }, { id: "desc" }],
          select: { entity: true },
        }),
        db.eventName.findUnique({ where: { projectID_name: { projectID, name } }, select: { count: true } }),
      ]);
      return { events: rows.map(toEvent), total: Number(counted?.count ?? 0) };
    },
  };
}

function toEvent({ entity }: { entity: string }): Event {
  return fromText(entity);
}

type EventNameRow = { name: string; count: bigint; firstTime: bigint; lastTime: bigint };

function toEventName({ name, count, firstTime, lastTime }: EventNameRow): EventName {
  return { name, count: Number(count), firstTime: Number(firstTime), lastTime: Number(lastTime) };
}

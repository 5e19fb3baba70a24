import type { Schema } from "@gatehouse/contract/console";
import type { WritableSchema } from "@gatehouse/contract/evaluation";
import type { Context } from "../../context.ts";

export type Event = Schema<"Event">;
/** A name under which events were logged. */
export type EventName = Schema<"EventName">;

type EventBatch = WritableSchema<"EventBatch">;

/** The events of a batch as they are kept. What has no time happened as the batch arrives. */
export function newEvents({ events, statsigMetadata }: EventBatch, { now }: Pick<Context, "now">): Event[] {
  const source = statsigMetadata?.sdkType || "http_api";
  return events.map(({ eventName, user, value, metadata, time }) => ({
    timestamp: String(time ?? now),
    name: eventName,
    source,
    value: String(value ?? ""),
    userID: String(user?.userID ?? ""),
    metadata: metadata ?? {},
  }));
}

/** How many events a batch has of each name, and when the first and the last of them happened. */
export function countByName(events: Event[]): EventName[] {
  const names = new Map<string, EventName>();
  for (const { name, timestamp } of events) {
    const time = Number(timestamp);
    const { count, firstTime, lastTime } = names.get(name) ?? { count: 0, firstTime: time, lastTime: time };
    names.set(name, { name, count: count + 1, firstTime: Math.min(firstTime, time), lastTime: Math.max(lastTime, time) });
  }
  return [...names.values()];
}

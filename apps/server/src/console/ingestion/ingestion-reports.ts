import type { Schema } from "@gatehouse/contract/console";
import type { IngestedCount, IngestedDay } from "./ingested-day.ts";
import { dateOfDay, formatTimestamp } from "./ingested-days.ts";
import type { IngestionSource } from "./ingestion-source.ts";

type Status = Schema<"IngestionKnownStatus">;

const STATUSES: { [State in IngestedDay["state"]]: Status } = { running: "running", complete: "success", failed: "failure" };

/** How many rows of each event were copied on each day, from all sources. Those with the most rows of a day come first. */
export function sumCounts(found: readonly IngestedCount[]): Schema<"IngestionCount">[] {
  const added = new Map<string, IngestedCount>();
  for (const one of found) {
    if (one.internal === 0) continue;
    const key = `${one.day} ${one.event}`;
    const { internal = 0, updatedTime = 0 } = added.get(key) ?? {};
    added.set(key, { ...one, internal: internal + one.internal, updatedTime: Math.max(updatedTime, one.updatedTime) });
  }
  return [...added.values()].sort(byDayAnd("internal")).map(({ day, event, internal, updatedTime }) => ({
    date: dateOfDay(day),
    event,
    count: internal,
    last_updated_time: formatTimestamp(updatedTime),
  }));
}

/** The copied rows of each event of each source on each day, beside those of the warehouse. */
export function toDeltas(found: readonly IngestedCount[]): Schema<"IngestionDelta">[] {
  return [...found].sort(byDayAnd("external")).map(({ day, source, event, internal, external, updatedTime }) => ({
    date: dateOfDay(day),
    ...{ source, event, internal_count: internal, external_count: external },
    ...{ has_diff: internal !== external, threshold: 0 },
    last_updated_time: formatTimestamp(updatedTime),
  }));
}

function byDayAnd(most: "internal" | "external") {
  return (a: IngestedCount, b: IngestedCount) =>
    a.day - b.day || b[most] - a[most] || compare(a.event, b.event) || compare(a.source, b.source);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The same, grouped by date. */
export function byDate<Item extends { date: string }>(items: readonly Item[]): { date: string; events: Omit<Item, "date">[] }[] {
  const dates = new Map<string, Omit<Item, "date">[]>();
  for (const { date, ...item } of items) dates.set(date, [...(dates.get(date) ?? []), item]);
  return [...dates].map(([date, events]) => ({ date, events }));
}

/** The statuses of days, newest first. @param sources existing sources, by name */
export function toStatuses(days: readonly IngestedDay[], sources: ReadonlyMap<string, IngestionSource>): Schema<"IngestionStatus">[] {
  const sorted = [...days].sort((a, b) => b.day - a.day || compare(a.source, b.source));
  return sorted.map(({ day, source: name, state, rows, copied, refused, message, updatedTime }) => {
    const source = sources.get(name);
    return {
      ds: dateOfDay(day),
      ingestion_dataset: source?.data.dataset ?? null,
      ingestion_source: source?.type ?? null,
      source_name: name,
      message,
      ...(state === "failed" && message !== null && { error_message: message }),
      status: STATUSES[state],
      ...{ rowCount: rows, copiedCount: copied, refusedCount: refused },
      timestamp: formatTimestamp(updatedTime),
    };
  });
}

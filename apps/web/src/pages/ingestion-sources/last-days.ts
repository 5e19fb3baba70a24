import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query, type Schema } from "../../api.ts";
import { type Days, daysBefore, eachDay } from "../../ingestion/utc-days.ts";

type KnownDay = Schema<"IngestionStatus">;

const MOST = 1_000;
const REFRESH_MS = 30_000;
const COUNT = 7;

/** The seven days before today, which the schedule keeps up to date. */
const lastDays = (now: number): Days => ({ first: daysBefore(now, COUNT), last: daysBefore(now, 1) });

type Read = {
  days: readonly string[];
  /** Known days by source. Undefined until they are read. */
  known: ReadonlyMap<string, readonly KnownDay[]> | undefined;
  error: Error | null;
};

/** The states of the last days of all sources. One answer has at most a thousand of them. */
export function useLastDays(): Read {
  const [now] = useState(Date.now);
  const days = lastDays(now);
  const ask = (page: number) => ({
    ...query("listIngestionStatuses", { query: { startDate: days.first, endDate: days.last, limit: MOST, page } }),
    refetchInterval: REFRESH_MS,
  });
  const first = useQuery(ask(1));
  const pages = Math.ceil((first.data?.pagination.totalItems ?? 0) / MOST);
  const others = useQueries({ queries: Array.from({ length: Math.max(0, pages - 1) }, (_, index) => ask(index + 2)) });
  const all = [first, ...others];
  const isRead = all.every(({ data }) => data !== undefined);
  const known = isRead ? bySource(all.flatMap(({ data }) => data?.data ?? [])) : undefined;
  return { days: eachDay(days), known, error: all.find(({ error }) => error !== null)?.error ?? null };
}

function bySource(days: readonly KnownDay[]): Map<string, KnownDay[]> {
  const found = new Map<string, KnownDay[]>();
  for (const day of days) {
    const others = found.get(day.source_name);
    if (others === undefined) found.set(day.source_name, [day]);
    else others.push(day);
  }
  return found;
}

/** When a day of them was copied last, in milliseconds since the epoch. */
export function lastCopied(known: readonly KnownDay[]): number | undefined {
  const times = known.filter(({ status }) => status === "success").map(({ timestamp }) => Date.parse(timestamp));
  return times.length === 0 ? undefined : Math.max(...times);
}

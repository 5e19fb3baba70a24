import { invalid } from "../../common/errors.ts";
import { daysMeeting, toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Column } from "../../results/reports/columns.ts";

const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;

/** A day in the project's time zone, ms since the epoch. `start` is inclusive, `end` exclusive. */
export type UsageDay = { date: string; start: number; end: number };

/** The usage of a day. `events` is null if the counts of the day may have been deleted. */
export type Usage = { date: string; checks: number; exposures: number; events: number | null; keys: number; people: number };

export const usageColumns: readonly Column<Usage>[] = [
  { name: "date", type: "text", readCell: (row) => row.date },
  { name: "checks", type: "integer", readCell: (row) => row.checks },
  { name: "exposures", type: "integer", readCell: (row) => row.exposures },
  { name: "events", type: "integer", readCell: (row) => row.events },
  { name: "keys", type: "integer", readCell: (row) => row.keys },
  { name: "people", type: "integer", readCell: (row) => row.people },
];

/**
 * The days that a range touches.
 * @param createdTime when the project was created
 * @throws AppError invalid_request if the range is empty, too long, or begins before the project
 */
export function usageDays(given: { start?: number; end: number }, createdTime: number, zone: TimeZone): UsageDay[] {
  const { end } = given;
  const start = given.start ?? Math.max(createdTime, end - DEFAULT_DAYS * DAY_MS);
  const refuse = (property: "start" | "end", errorMessage: string) => invalid([{ property, errorMessage }]);
  if (start < createdTime) throw refuse("start", `must not be before the project's creation, which was at ${createdTime}`);
  if (start >= end) {
    if (given.start === undefined) throw refuse("end", `must be after the project's creation, which was at ${createdTime}`);
    throw refuse("start", "must be before end");
  }
  if (end - start > MAX_DAYS * DAY_MS) throw refuse("start", `must be at most ${MAX_DAYS} days before end`);
  const starts = daysMeeting(start, end, zone);
  const last = starts.at(-1) as number;
  // The beginning of the day after the last one, which is at most 25 hours later.
  const next = daysMeeting(last, last + 2 * DAY_MS, zone)[1] as number;
  return starts.map((from, index) => ({ date: toDate(from, zone), start: from, end: starts[index + 1] ?? next }));
}

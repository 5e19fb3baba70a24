import { type Days, daysBefore, faultOfDays } from "../../ingestion/utc-days.ts";
import { utcDay } from "../../ui/iso-time.ts";

/** The days that an address without days shows: today and the week before it. */
export const usualDays = (now: number): Days => ({ first: daysBefore(now, 7), last: utcDay(now) });

/** The days of an address. @returns undefined if no request can ask for them */
export function parseDays({ from, to }: { from?: string; to?: string }, now: number): Days | undefined {
  const days = from === undefined || to === undefined ? usualDays(now) : { first: from, last: to };
  return faultOfDays(days) === undefined ? days : undefined;
}

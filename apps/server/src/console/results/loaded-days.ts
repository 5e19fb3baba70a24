import { invalid } from "../../common/errors.ts";
import { daysMeeting, toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import type { AskedMetric } from "../../results/pulse/pulse.ts";

/** When the results end, ms; undefined before anything is loaded. */
export function lastLoaded(metrics: readonly AskedMetric[]): number | undefined {
  const ends = metrics.flatMap(({ moments }) => (moments ? [moments.endTime - 1] : []));
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** The zone whose days the last load counted; undefined before anything is loaded. */
export function zoneLoaded(metrics: readonly AskedMetric[]): TimeZone | undefined {
  const loads = metrics.flatMap(({ moments }) => moments ?? []);
  return loads.sort((a, b) => b.loadedTime - a.loadedTime)[0]?.timeZone;
}

/**
 * The beginning of a day, ms; undefined if the request has no day.
 * @param date as `2025-11-22`
 * @param start when the results begin, ms
 * @param last when they end; undefined before the first load
 * @throws AppError invalid_request if the day is not loaded
 */
export function loadedDay(date: string | undefined, start: number, last: number | undefined, timeZone: TimeZone): number | undefined {
  if (date === undefined) return undefined;
  const days = last === undefined ? [] : daysMeeting(start, last + 1, timeZone);
  const dates = days.map((day) => toDate(day, timeZone));
  const found = days[dates.indexOf(date)];
  if (found !== undefined) return found;
  const errorMessage =
    dates.length > 0
      ? `must be from ${dates[0]} to ${dates.at(-1)}, the days that are loaded`
      : "must be left out, since nothing is loaded";
  throw invalid([{ property: "date", errorMessage }]);
}

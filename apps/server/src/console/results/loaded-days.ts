import { invalid } from "../../errors.ts";
import { dateOf, startOfDay } from "../../results/day.ts";
import type { AskedMetric } from "../../results/pulse.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** When the results end, ms; undefined before anything is loaded. */
export function lastLoaded(metrics: readonly AskedMetric[]): number | undefined {
  const ends = metrics.flatMap(({ moments }) => (moments ? [moments.endTime - 1] : []));
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/**
 * When a day begins, ms; undefined if no day is asked for.
 * @param date as `2025-11-22`
 * @param start when the results begin, ms
 * @param last when they end; undefined before anything is loaded
 * @throws AppError invalid_request if the day is not loaded
 */
export function loadedDay(date: string | undefined, start: number, last: number | undefined): number | undefined {
  if (date === undefined) return undefined;
  const days: number[] = [];
  for (let day = startOfDay(start); day <= (last ?? Number.NEGATIVE_INFINITY); day += DAY_MS) days.push(day);
  const found = days.find((day) => dateOf(day) === date);
  if (found !== undefined) return found;
  const dates = days.map(dateOf);
  const errorMessage =
    dates.length > 0
      ? `must be from ${dates[0]} to ${dates.at(-1)}, the days that are loaded`
      : "must be left out, since nothing is loaded";
  throw invalid([{ property: "date", errorMessage }]);
}

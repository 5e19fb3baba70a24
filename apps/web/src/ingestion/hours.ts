// Hours of a day in Los Angeles, which schedules name, and in other time zones. Pure.
import { clock, dayInZone } from "../ui/time-text.ts";

const ZONE = "America/Los_Angeles";
const HOUR_MS = 3_600_000;

/** 07:00 */
export const hourInWords = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** When the hour begins on the day that a time is on in Los Angeles. When clocks skip it, undefined. @param now milliseconds since the epoch */
function startOfHour(hour: number, now: number): number | undefined {
  const today = dayInZone(now, ZONE);
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - 25 * HOUR_MS;
  const hours = Array.from({ length: 51 }, (_, index) => first + index * HOUR_MS);
  return hours.find((time) => dayInZone(time, ZONE) === today && clock(time, ZONE) === hourInWords(hour));
}

/**
 * The time in another zone today when the hour begins in Los Angeles.
 * @returns undefined if the zone is unknown, or clocks skip the hour today
 */
export function hourElsewhere(hour: number, timeZone: string, now: number): string | undefined {
  const start = startOfHour(hour, now);
  try {
    return start === undefined ? undefined : clock(start, timeZone);
  } catch {
    return undefined;
  }
}

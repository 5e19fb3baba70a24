const DAY_MS = 24 * 60 * 60 * 1000;

/** Canada writes dates as ISO 8601 does. */
const DATE = new Intl.DateTimeFormat("en-CA", { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" });

/** The day of a time in UTC, as `2025-11-22`. */
export function dateOf(time: number): string {
  return DATE.format(time);
}

/** When the day of a time begins, in UTC. */
export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** When each day from a time on begins: the first with that time, and each other one with its midnight in UTC, before `end`. */
export function daysFrom(time: number, end: number): number[] {
  const days = [time];
  for (let day = startOfDay(time) + DAY_MS; day < end; day += DAY_MS) days.push(day);
  return days;
}

/** When each of the days that `ms` before a time touch begins, without that of the time itself. */
export function daysBefore(time: number, ms: number): number[] {
  const days: number[] = [];
  for (let day = startOfDay(time - ms); day < startOfDay(time); day += DAY_MS) days.push(day);
  // The day of the start has events before it, too.
  return startOfDay(time) < time ? [...days, startOfDay(time)] : days;
}

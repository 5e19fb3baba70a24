// Days of UTC as the contract names them, such as 2025-11-30. Pure.
import { isDay, utcDay } from "../ui/iso-time.ts";

const DAY_MS = 86_400_000;
/** The most days of one request. */
export const MOST_DAYS = 31;

export type Days = { first: string; last: string };

/** The day so many days before that of a time. */
export const daysBefore = (time: number, count: number): string => utcDay(time - count * DAY_MS);

/** How many days there are, both ends included. */
export const countDays = ({ first, last }: Days): number => (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;

/** Each of the days, the first one first. */
export const eachDay = (days: Days): string[] =>
  Array.from({ length: countDays(days) }, (_, index) => utcDay(Date.parse(days.first) + index * DAY_MS));

/** The fault of entered days, if any. Each text belongs to one of the two fields. */
export function faultOfDays({ first, last }: Days): { first?: string; last?: string } | undefined {
  if (!isDay(first)) return { first: "Enter the first day." };
  if (!isDay(last)) return { last: "Enter the last day." };
  if (last < first) return { last: "The last day is before the first." };
  const count = countDays({ first, last });
  return count > MOST_DAYS ? { last: `You chose ${count} days. Choose at most ${MOST_DAYS}.` } : undefined;
}

// Two periods of a metric, compared. Pure.
import { percentage, signOf } from "../charts/format.ts";
import { utcDay } from "../ui/iso-time.ts";
import { dayInZone } from "../ui/time-text.ts";

type Day = { value?: number; numerator?: number; denominator?: number };

const DAY_MS = 86_400_000;

/** The day before a date. */
export const dayBefore = (date: string): string => utcDay(Date.parse(date) - DAY_MS);

/** Whether a range of days that ends on the given day includes today, in the time zone. Without a last day it ends today. */
export const includesToday = (lastDay: string, timeZone: string, now: number): boolean =>
  lastDay === "" || lastDay >= dayInZone(now, timeZone);

/** The value of a period: a ratio of its sums, or the mean of its days. Undefined if no day has a value. */
export function periodValue(days: readonly Day[]): number | undefined {
  const sum = (read: (day: Day) => number | undefined) => days.reduce((total, day) => total + (read(day) ?? 0), 0);
  const valued = days.filter(({ value }) => value !== undefined);
  if (valued.length === 0) return undefined;
  const denominator = sum((day) => day.denominator);
  if (denominator !== 0) return sum((day) => day.numerator) / denominator;
  return sum(({ value }) => value) / valued.length;
}

/** The values of two periods and their difference, in a sentence. */
export function comparePeriods(days: readonly Day[], before: readonly Day[], toText: (value: number) => string): string {
  const [now, then] = [periodValue(days), periodValue(before)];
  if (now === undefined) return "No values in this period.";
  const what = days.some(({ denominator }) => denominator !== undefined) ? "over the period" : "per day on average";
  if (then === undefined) return `${toText(now)} ${what}. No values in the previous period.`;
  if (then === 0) return `${toText(now)} ${what}. Previous period: ${toText(then)}.`;
  const change = ((now - then) / Math.abs(then)) * 100;
  return `${toText(now)} ${what}, ${signOf(change)}${percentage(Math.abs(change))} vs. the previous period (${toText(then)}).`;
}

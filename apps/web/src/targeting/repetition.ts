// How scheduled changes repeat, in words and as choices. Pure.

import type { Schema } from "@gatehouse/client";
import { listed } from "../ui/list-text.ts";
import { weekday } from "../ui/time-text.ts";

export type Weekday = Schema<"Weekday">;

export const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  MONDAY: "Monday",
  TUESDAY: "Tuesday",
  WEDNESDAY: "Wednesday",
  THURSDAY: "Thursday",
  FRIDAY: "Friday",
  SATURDAY: "Saturday",
  SUNDAY: "Sunday",
};
/** From Monday to Sunday. */
export const DAYS = Object.keys(DAY_NAMES) as Weekday[];
const WORKDAYS = DAYS.slice(0, 5);

export type Rule = "never" | "daily" | "weekdays" | "weekly" | "days";

/** How a reader repeats a change. `days` are those that the reader chose. It stops at `until`, ms since the epoch. */
export type Repeat = { rule: Rule; days: readonly Weekday[]; until: number | undefined };

/** The choices of a reader, with their names. */
export const RULES = [
  { id: "never", label: "Never" },
  { id: "daily", label: "Every day" },
  { id: "weekdays", label: "Every weekday (Monday to Friday)" },
  { id: "weekly", label: "Every week" },
  { id: "days", label: "On chosen days" },
] as const satisfies { id: Rule; label: string }[];

/** The day of the week at a time, ms since the epoch, in a time zone. */
export function weekdayOf(time: number, timeZone: string): Weekday {
  return weekday(time, timeZone).toUpperCase() as Weekday;
}

/** The days of a choice for a change whose first time is given. */
export function daysOf({ rule, days }: Repeat, time: number, timeZone: string): Weekday[] | undefined {
  if (rule === "never") return undefined;
  if (rule === "weekly") return [weekdayOf(time, timeZone)];
  if (rule === "days") return DAYS.filter((day) => days.includes(day));
  return rule === "daily" ? DAYS : WORKDAYS;
}

/** Why a change that repeats can't begin at a time; undefined if it can. */
export function faultOfFirstDay(repeat: Repeat, time: number, timeZone: string): string | undefined {
  const days = daysOf(repeat, time, timeZone);
  const first = weekdayOf(time, timeZone);
  if (days === undefined || days.length === 0 || days.includes(first)) return undefined;
  const choice = repeat.rule === "weekdays" ? "a day from Monday to Friday" : "a date on one of the chosen days";
  return `Choose ${choice}. This one is a ${DAY_NAMES[first]} in ${timeZone}.`;
}

/** Why a change can't repeat like this, apart from its first time; undefined if it can. */
export function faultOfRepeat({ rule, days, until }: Repeat, time: number): string | undefined {
  if (rule === "never") return undefined;
  if (rule === "days" && days.length === 0) return "Choose at least one day.";
  return until !== undefined && until < time ? "Choose a last day that isn’t before the first one." : undefined;
}

/** Such as `Weekdays at 09:00, Europe/Berlin`. */
export function repetitionText({ days, time, timeZone }: Pick<Schema<"Repetition">, "days" | "time" | "timeZone">): string {
  return `${daysText(days)} at ${time}, ${timeZone}`;
}

function daysText(days: readonly Weekday[]): string {
  if (days.length === DAYS.length) return "Every day";
  if (days.length === WORKDAYS.length && days.every((day) => WORKDAYS.includes(day))) return "Weekdays";
  const names = days.map((day) => DAY_NAMES[day]);
  return `Every ${listed(names)}`;
}

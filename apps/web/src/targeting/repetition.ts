// How scheduled changes repeat, in words and as choices. Pure.
import type { Schema } from "@gatehouse/client";

export type Weekday = Schema<"Weekday">;

const NAMES: Readonly<Record<Weekday, string>> = {
  MONDAY: "Monday",
  TUESDAY: "Tuesday",
  WEDNESDAY: "Wednesday",
  THURSDAY: "Thursday",
  FRIDAY: "Friday",
  SATURDAY: "Saturday",
  SUNDAY: "Sunday",
};
const DAYS = Object.keys(NAMES) as Weekday[];
const WORKDAYS = DAYS.slice(0, 5);

export type Rule = "never" | "daily" | "weekdays" | "weekly";

/** The choices of a reader, with their names. */
export const RULES = [
  { id: "never", label: "Never" },
  { id: "daily", label: "Every day" },
  { id: "weekdays", label: "Every weekday (Monday to Friday)" },
  { id: "weekly", label: "Every week" },
] as const satisfies { id: Rule; label: string }[];

/** The day of the week at a time, ms since the epoch, in a time zone. */
export function weekdayOf(time: number, timeZone: string): Weekday {
  return new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long" }).format(time).toUpperCase() as Weekday;
}

/** The days of a choice for a change whose first time is given. */
export function daysOf(rule: Rule, time: number, timeZone: string): Weekday[] | undefined {
  if (rule === "never") return undefined;
  if (rule === "weekly") return [weekdayOf(time, timeZone)];
  return rule === "daily" ? DAYS : WORKDAYS;
}

/** Why a change can't begin at a time; undefined if it can. */
export function faultOfFirstDay(rule: Rule, time: number, timeZone: string): string | undefined {
  if (rule !== "weekdays" || WORKDAYS.includes(weekdayOf(time, timeZone))) return undefined;
  return `Choose a day from Monday to Friday. This one is a ${NAMES[weekdayOf(time, timeZone)]} in ${timeZone}.`;
}

/** Such as `Weekdays at 09:00, Europe/Berlin`. */
export function repetitionText({ days, time, timeZone }: Pick<Schema<"Repetition">, "days" | "time" | "timeZone">): string {
  return `${daysText(days)} at ${time}, ${timeZone}`;
}

function daysText(days: readonly Weekday[]): string {
  if (days.length === DAYS.length) return "Every day";
  if (days.length === WORKDAYS.length && days.every((day) => WORKDAYS.includes(day))) return "Weekdays";
  const names = days.map((day) => NAMES[day]);
  return `Every ${names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`}`;
}

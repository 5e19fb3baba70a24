import { expect, test } from "vitest";
import { daysOf, faultOfFirstDay, faultOfRepeat, type Rule, repetitionText, type Weekday, weekdayOf } from "./repetition.ts";

const by = (rule: Rule, days: Weekday[] = [], until?: number) => ({ rule, days, until });

/** 2026-03-01 at 23:30 UTC. */
const SUNDAY_LATE = 1_772_407_800_000;

test("a repetition says its days, its time and its time zone", () => {
  const text = (...days: Parameters<typeof repetitionText>[0]["days"]) =>
    repetitionText({ days, time: "09:00", timeZone: "Europe/Berlin" });
  expect(text("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY")).toBe("Weekdays at 09:00, Europe/Berlin");
  expect(text("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")).toBe("Every day at 09:00, Europe/Berlin");
  expect(text("SUNDAY")).toBe("Every Sunday at 09:00, Europe/Berlin");
  expect(text("MONDAY", "WEDNESDAY", "SATURDAY")).toBe("Every Monday, Wednesday, and Saturday at 09:00, Europe/Berlin");
});

test("a change repeats every week on the day that its first time has in the project's time zone", () => {
  expect([weekdayOf(SUNDAY_LATE, "UTC"), daysOf(by("weekly"), SUNDAY_LATE, "Europe/Berlin")]).toEqual(["SUNDAY", ["MONDAY"]]);
  expect(daysOf(by("never"), SUNDAY_LATE, "UTC")).toBeUndefined();
});

test("a change that repeats on weekdays begins on one", () => {
  expect(faultOfFirstDay(by("weekdays"), SUNDAY_LATE, "UTC")).toBe("Choose a day from Monday to Friday. This one is a Sunday in UTC.");
  expect(faultOfFirstDay(by("weekdays"), SUNDAY_LATE, "Europe/Berlin")).toBeUndefined();
  expect(faultOfFirstDay(by("daily"), SUNDAY_LATE, "UTC")).toBeUndefined();
});

test("a change repeats on the chosen days in the order of the week, begins on one, and ends on a last day that isn't before", () => {
  expect(daysOf(by("days", ["SUNDAY", "TUESDAY"]), SUNDAY_LATE, "UTC")).toEqual(["TUESDAY", "SUNDAY"]);
  expect(faultOfFirstDay(by("days", ["TUESDAY"]), SUNDAY_LATE, "UTC")).toBe(
    "Choose a date on one of the chosen days. This one is a Sunday in UTC.",
  );
  expect(faultOfFirstDay(by("days", ["SUNDAY"]), SUNDAY_LATE, "UTC")).toBeUndefined();
  expect(faultOfRepeat(by("days"), SUNDAY_LATE)).toBe("Choose at least one day.");
  expect(faultOfRepeat(by("daily", [], SUNDAY_LATE - 1), SUNDAY_LATE)).toBe("Choose a last day that isn’t before the first one.");
  expect(faultOfRepeat(by("daily", [], SUNDAY_LATE), SUNDAY_LATE)).toBeUndefined();
});

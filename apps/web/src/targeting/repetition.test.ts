import { expect, test } from "vitest";
import { daysOf, faultOfFirstDay, repetitionText, weekdayOf } from "./repetition.ts";

/** 2026-03-01 at 23:30 UTC. */
const SUNDAY_LATE = 1_772_407_800_000;

test("a repetition says its days, its time and its time zone", () => {
  const text = (...days: Parameters<typeof repetitionText>[0]["days"]) =>
    repetitionText({ days, time: "09:00", timeZone: "Europe/Berlin" });
  expect(text("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY")).toBe("Weekdays at 09:00, Europe/Berlin");
  expect(text("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")).toBe("Every day at 09:00, Europe/Berlin");
  expect(text("SUNDAY")).toBe("Every Sunday at 09:00, Europe/Berlin");
  expect(text("MONDAY", "WEDNESDAY", "SATURDAY")).toBe("Every Monday, Wednesday and Saturday at 09:00, Europe/Berlin");
});

test("a change repeats every week on the day that its first time has in the project's time zone", () => {
  expect([weekdayOf(SUNDAY_LATE, "UTC"), daysOf("weekly", SUNDAY_LATE, "Europe/Berlin")]).toEqual(["SUNDAY", ["MONDAY"]]);
  expect(daysOf("never", SUNDAY_LATE, "UTC")).toBeUndefined();
});

test("a change that repeats on weekdays begins on one", () => {
  expect(faultOfFirstDay("weekdays", SUNDAY_LATE, "UTC")).toBe("Choose a day from Monday to Friday. This one is a Sunday in UTC.");
  expect(faultOfFirstDay("weekdays", SUNDAY_LATE, "Europe/Berlin")).toBeUndefined();
  expect(faultOfFirstDay("daily", SUNDAY_LATE, "UTC")).toBeUndefined();
});

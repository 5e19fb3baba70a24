import { expect, test } from "vitest";
import { hourElsewhere, hourInWords } from "./hours.ts";

test("an hour of Los Angeles is shown as clocks elsewhere show it today, in winter and in summer", () => {
  const [winter, summer] = [Date.parse("2025-11-21T12:00:00Z"), Date.parse("2025-07-21T12:00:00Z")];
  expect(hourElsewhere(10, "UTC", winter)).toBe("18:00");
  expect(hourElsewhere(10, "UTC", summer)).toBe("17:00");
  expect(hourElsewhere(3, "Asia/Kolkata", winter)).toBe("16:30");
  expect(hourElsewhere(10, "America/Los_Angeles", winter)).toBe(hourInWords(10));
});

test("every hour of a day has a matching hour elsewhere, except the hour that clocks skip", () => {
  const skips = Date.parse("2025-03-09T20:00:00Z");
  const found = Array.from({ length: 24 }, (_, hour) => hourElsewhere(hour, "UTC", skips));
  expect(found[2]).toBeUndefined();
  expect(found.filter((hour) => hour === undefined)).toHaveLength(1);
});

test("a zone that this browser does not know has no hour", () => {
  expect(hourElsewhere(10, "Nowhere/City", Date.parse("2025-11-21T12:00:00Z"))).toBeUndefined();
});

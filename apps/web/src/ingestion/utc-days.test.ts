import { expect, test } from "vitest";
import { countDays, daysBefore, eachDay, faultOfDays } from "./utc-days.ts";

const NOW = Date.parse("2025-03-01T00:30:00+01:00");

test("a day is that of UTC", () => {
  expect(daysBefore(NOW, 7)).toBe("2025-02-21");
});

test("days go over the end of a month, both ends included", () => {
  const days = { first: "2024-02-27", last: "2024-03-01" };
  expect(eachDay(days)).toEqual(["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"]);
  expect(countDays(days)).toBe(4);
});

test("an error in a range of days is shown at one of its fields", () => {
  expect(faultOfDays({ first: "2025-01-01", last: "2025-01-31" })).toBeUndefined();
  expect(faultOfDays({ first: "", last: "2025-01-31" })).toEqual({ first: "Enter the first day." });
  expect(faultOfDays({ first: "2025-01-01", last: "" })).toEqual({ last: "Enter the last day." });
  expect(faultOfDays({ first: "2025-01-02", last: "2025-01-01" })).toEqual({ last: "The last day is before the first." });
  expect(faultOfDays({ first: "2025-01-01", last: "2025-02-01" })).toEqual({ last: "You chose 32 days. Choose at most 31." });
});

import { expect, test } from "vitest";
import { isDay, utcDay } from "./iso-time.ts";

test("a day is that of UTC", () => {
  expect(utcDay(Date.parse("2025-03-01T00:30:00+01:00"))).toBe("2025-02-28");
});

test("only days that exist are days", () => {
  expect(["2025-02-28", "2025-02-30", "2025-13-01", "", "28.02.2025", "2025-2-8"].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

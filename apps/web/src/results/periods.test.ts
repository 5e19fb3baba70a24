import { expect, test } from "vitest";
import { comparePeriods, dayBefore, includesToday, periodValue } from "./periods.ts";

const toText = (value: number) => String(value);

test("a period has the mean of its days, or the ratio of its sums", () => {
  expect(periodValue([{ value: 10 }, { value: 20 }, {}])).toBe(15);
  expect(periodValue([{ value: 1, numerator: 1, denominator: 1 }, { value: 0, numerator: 0, denominator: 3 }, {}])).toBe(0.25);
  expect(periodValue([{}])).toBeUndefined();
});

test("two periods are compared in percent, where the earlier one has a value other than 0", () => {
  expect(comparePeriods([{ value: 15 }], [{ value: 10 }], toText)).toBe("15 per day on average, +50% vs. the previous period (10).");
  expect(comparePeriods([{ value: 5 }], [{ value: 10 }], toText)).toBe("5 per day on average, −50% vs. the previous period (10).");
  expect(comparePeriods([{ value: 5 }], [{ value: 0 }], toText)).toBe("5 per day on average. Previous period: 0.");
  expect(comparePeriods([{ value: 5 }], [{}], toText)).toBe("5 per day on average. No values in the previous period.");
  expect(comparePeriods([{}], [], toText)).toBe("No values in this period.");
});

test("the day before the first of March depends on the year", () => {
  expect([dayBefore("2024-03-01"), dayBefore("2025-03-01"), dayBefore("2025-01-01")]).toEqual(["2024-02-29", "2025-02-28", "2024-12-31"]);
});

test("whether a range includes today depends on the time zone", () => {
  const now = Date.parse("2025-03-01T02:00:00Z");
  const given = ["", "2025-03-01", "2025-02-28", "2025-02-27"];
  expect(given.map((last) => includesToday(last, "UTC", now))).toEqual([true, true, false, false]);
  expect(given.map((last) => includesToday(last, "America/Los_Angeles", now))).toEqual([true, true, true, false]);
});

import { expect, test } from "vitest";
import { comparePeriods, dayBefore, periodValue } from "./periods.ts";

const toText = (value: number) => String(value);

test("a period has the mean of its days, or the ratio of its sums", () => {
  expect(periodValue([{ value: 10 }, { value: 20 }, {}])).toBe(15);
  expect(periodValue([{ value: 1, numerator: 1, denominator: 1 }, { value: 0, numerator: 0, denominator: 3 }, {}])).toBe(0.25);
  expect(periodValue([{}])).toBeUndefined();
});

test("two periods are compared in percent, where the earlier one has a value other than 0", () => {
  expect(comparePeriods([{ value: 15 }], [{ value: 10 }], toText)).toBe("15 per day on average, +50% from the period before (10).");
  expect(comparePeriods([{ value: 5 }], [{ value: 10 }], toText)).toBe("5 per day on average, −50% from the period before (10).");
  expect(comparePeriods([{ value: 5 }], [{ value: 0 }], toText)).toBe("5 per day on average. The period before: 0.");
  expect(comparePeriods([{ value: 5 }], [{}], toText)).toBe("5 per day on average. No values in the period before.");
  expect(comparePeriods([{}], [], toText)).toBe("No values in this period.");
});

test("the day before the first of March depends on the year", () => {
  expect([dayBefore("2024-03-01"), dayBefore("2025-03-01"), dayBefore("2025-01-01")]).toEqual(["2024-02-29", "2025-02-28", "2024-12-31"]);
});

import { expect, test } from "vitest";
import { decimalsFor, halfWidth, preciseChange, preciseText, sumText } from "./digits.ts";

test("an error justifies as many decimals as two of its significant digits have", () => {
  expect([84.5, 12, 1.5, 0.5, 0.0123, 1e-12, 0, undefined].map(decimalsFor)).toEqual([0, 0, 1, 2, 3, 8, undefined, undefined]);
});

test("a number ends with the digits of its error, and has four significant ones without", () => {
  expect([preciseText(0.412345, 0.0668), preciseText(1234.5678, 84.5), preciseText(30, 0.5)]).toEqual(["0.412", "1,235", "30.00"]);
  expect(preciseText(1234.5678, undefined)).toBe("1,235");
  expect([preciseChange(70.73, 84.5), preciseChange(-0.0123456, 0.0021), preciseChange(1.23456, undefined)]).toEqual([
    "+71",
    "−0.0123",
    "+1.23",
  ]);
  expect([halfWidth([-1, 3]), halfWidth(undefined), halfWidth([1])]).toEqual([2, undefined, undefined]);
});

test("counts are exact", () => {
  expect([sumText(1_234_567), sumText(1396.8712)]).toEqual(["1,234,567", "1,396.87"]);
});

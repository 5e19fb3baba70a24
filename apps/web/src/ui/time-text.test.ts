import { expect, test } from "vitest";
import { relativeTime } from "./time-text.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const HOUR_MS = 3_600_000;

test.each([
  [-10_000, "just now"],
  [10_000, "in a moment"],
  [-5 * 60_000, "5 minutes ago"],
  [-HOUR_MS, "1 hour ago"],
  [-23.9 * HOUR_MS, "23 hours ago"],
  [-24 * HOUR_MS, "yesterday"],
  [3 * 24 * HOUR_MS, "in 3 days"],
])("a time %d ms from now reads %s", (difference, text) => {
  expect(relativeTime(NOW + difference, NOW, "en-US")).toBe(text);
});

test("a time more than 30 days away is a date", () => {
  expect(relativeTime(NOW - 31 * 24 * HOUR_MS, NOW, "en-US")).toBe("May 15, 2026");
});

import { expect, test } from "vitest";
import { sourceSearch } from "./days-search.ts";
import { parseDays } from "./shown-days.ts";

const NOW = Date.parse("2025-11-21T12:00:00Z");

test("an address has its tab and days, and nothing that it cannot mean", () => {
  expect(sourceSearch({ tab: "days", from: "2025-11-01", to: "2025-11-02" })).toEqual({
    tab: "days",
    from: "2025-11-01",
    to: "2025-11-02",
  });
  expect(sourceSearch({ tab: "nowhere", from: "2025-11-01" })).toEqual({});
  expect(sourceSearch({ from: "2025-11-31", to: "2025-12-01" })).toEqual({});
});

test("without days in the address, today and the week before are shown", () => {
  expect(parseDays({}, NOW)).toEqual({ first: "2025-11-14", last: "2025-11-21" });
  expect(parseDays({ from: "2025-01-01", to: "2025-01-31" }, NOW)).toEqual({ first: "2025-01-01", last: "2025-01-31" });
  expect(parseDays({ from: "2025-01-01", to: "2025-02-01" }, NOW)).toBeUndefined();
});

import { expect, test } from "vitest";
import { backfillBody, backfillInWords, faultOfBackfill } from "./backfill-request.ts";

const NOW = Date.parse("2025-11-21T12:00:00Z");
const days = { first: "2025-11-19", last: "2025-11-20" };

test("a backfill without chosen sources is one of every enabled source", () => {
  const body = { type: "postgres", dataset: "Events", datestamp_start: "2025-11-19", datestamp_end: "2025-11-20" };
  expect(backfillBody({ type: "postgres", dataset: "Events", sources: [], days })).toEqual({ ...body, source: null });
  expect(backfillBody({ type: "postgres", dataset: "Events", sources: ["a", "b"], days })).toEqual({ ...body, source: ["a", "b"] });
});

test("today can be copied, and no later day", () => {
  expect(faultOfBackfill({ first: "2025-11-21", last: "2025-11-21" }, NOW)).toBeUndefined();
  expect(faultOfBackfill({ first: "2025-11-21", last: "2025-11-22" }, NOW)).toEqual({
    last: "Choose a day up to today, in UTC.",
  });
});

test("a backfill says what it copies", () => {
  expect(backfillInWords({ type: "postgres", dataset: "Exposures", sources: [], days })).toBe(
    "2 days of every source of exposures that is copied every day.",
  );
  const one = { first: "2025-11-20", last: "2025-11-20" };
  expect(backfillInWords({ type: "postgres", dataset: "Events", sources: ["a"], days: one })).toBe("1 day of 1 source.");
});

import { expect, test } from "vitest";
import { formatDifference, listDeltas } from "./deltas.ts";

const counts = (event: string, internal_count: number, external_count: number) => ({
  ...{ source: "shop", event, internal_count, external_count, has_diff: internal_count !== external_count },
  ...{ threshold: 0 as const, last_updated_time: "2025-11-22T09:30:37.000Z" },
});

test("events of days are listed one by one, the latest day first and in the server's order within it", () => {
  const listed = [
    { date: "2025-11-20", events: [counts("page_view", 5, 5), counts("bought", 1, 2)] },
    { date: "2025-11-21", events: [counts("bought", 3, 3)] },
  ];
  expect(listDeltas(listed).map(({ date, event }) => [date, event])).toEqual([
    ["2025-11-21", "bought"],
    ["2025-11-20", "page_view"],
    ["2025-11-20", "bought"],
  ]);
});

test("a difference says how many rows the warehouse has more or less", () => {
  expect([counts("a", 1, 4), counts("a", 4, 4), counts("a", 1_500, 0)].map(formatDifference)).toEqual(["+3", "0", "−1,500"]);
});

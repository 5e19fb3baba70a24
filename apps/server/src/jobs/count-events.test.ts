import { expect, test } from "vitest";
import { latestDays } from "./count-events.ts";

test("the latest days of each name are read until they have 5,000 of its events", () => {
  const counts = [
    { name: "view", day: 9, count: 4_999 },
    { name: "buy", day: 9, count: 5_000 },
    { name: "view", day: 8, count: 50_000 },
    { name: "buy", day: 8, count: 1 },
    { name: "rare", day: 4, count: 1 },
    { name: "view", day: 3, count: 1 },
    { name: "rare", day: 3, count: 1 },
  ];
  expect(latestDays(counts)).toEqual(
    new Map([
      ["view", 8],
      ["buy", 9],
      ["rare", 3],
    ]),
  );
});

import { expect, test } from "vitest";
import { toSegments } from "./buckets.ts";

test("adjacent buckets of an experiment are one range, even if taken in another order", () => {
  const experiments = [
    { id: "a", name: "A", userBuckets: [7, 3, 4, 8, 999] },
    { id: "b", name: "B", userBuckets: [] },
  ];
  expect(toSegments(experiments)).toEqual([
    { id: "a", label: "A", from: 3, to: 5 },
    { id: "a", label: "A", from: 7, to: 9 },
    { id: "a", label: "A", from: 999, to: 1_000 },
  ]);
});

import { expect, test } from "vitest";
import { toShares } from "./buckets.ts";

const buckets = (count: number) => Array.from({ length: count }, (_, index) => (index * 7) % 1_000);

test("a layer's shares are those of experiments with buckets, the largest first", () => {
  const experiments = [
    { id: "a", name: "A", userBuckets: buckets(5) },
    { id: "b", name: "B", userBuckets: [] },
    { id: "c", name: "C", userBuckets: buckets(250) },
  ];
  expect(toShares(experiments)).toEqual([
    { id: "c", label: "C", percent: 25 },
    { id: "a", label: "A", percent: 0.5 },
  ]);
});

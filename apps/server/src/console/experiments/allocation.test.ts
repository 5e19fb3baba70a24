import { describe, expect, test } from "vitest";
import { allocate, bucketCount, shortage } from "./allocation.ts";

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const other = (id: string, from: number, to: number) => ({ id, buckets: range(from, to) });

test.each([
  [0, 0],
  [0.1, 1],
  [33.3, 333],
  [57.9, 579],
  [100, 1000],
])("an allocation of %d %% is %d buckets", (allocation, count) => {
  expect(bucketCount(allocation)).toBe(count);
});

describe("allocate", () => {
  test("returns the wanted number of distinct buckets, none of them held by others", () => {
    const buckets = allocate([], 400, [other("a", 0, 500)], "salt") ?? [];
    expect(buckets).toHaveLength(400);
    expect(new Set(buckets).size).toBe(400);
    expect(buckets.filter((bucket) => bucket < 500 || bucket > 999)).toEqual([]);
  });

  test("growing keeps the buckets and appends others; shrinking frees what was added last", () => {
    const small = allocate([], 100, [], "salt") ?? [];
    const large = allocate(small, 300, [], "salt") ?? [];
    expect(large.slice(0, 100)).toEqual(small);
    expect(allocate(large, 100, [], "salt")).toEqual(small);
  });

  test("the last free bucket can be taken, and one more cannot", () => {
    expect(allocate([], 1, [other("a", 0, 999)], "salt")).toEqual([999]);
    expect(allocate([999], 2, [other("a", 0, 999)], "salt")).toBeUndefined();
  });

  test("the salt determines the order", () => {
    const first = allocate([], 100, [], "one") ?? [];
    expect(allocate([], 100, [], "one")).toEqual(first);
    const second = allocate([], 100, [], "two") ?? [];
    // Two random selections of 100 buckets have 10 in common on average.
    expect(second.filter((bucket) => first.includes(bucket)).length).toBeLessThan(25);
  });
});

describe("shortage", () => {
  test("says how many are free and needed, and which experiments hold the others", () => {
    expect(shortage("checkout", { id: "price", buckets: [] }, 500, [other("a", 0, 100), other("b", 100, 700), other("c", 0, 0)])).toBe(
      "Layer checkout has 300 of its 1000 buckets free, but experiment price needs 500. The others are held by b (600), a (100).",
    );
  });

  test("an experiment that grows needs the difference", () => {
    expect(shortage("checkout", { id: "price", buckets: range(0, 100) }, 500, [other("a", 100, 900)])).toBe(
      "Layer checkout has 100 of its 1000 buckets free, but experiment price needs 400 more than the 100 that it holds. The others are held by a (800).",
    );
  });

  test("names ten holders", () => {
    const others = range(0, 12).map((index) => other(`e${index}`, index * 80, index * 80 + 80));
    expect(shortage("checkout", { id: "price", buckets: [] }, 500, others)).toMatch(/ e0 \(80\), .* e9 \(80\), and 2 more\.$/);
  });
});

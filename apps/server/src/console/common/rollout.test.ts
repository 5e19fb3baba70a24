import { expect, test } from "vitest";
import { nextRollout } from "./rollout.ts";
import type { Rule } from "./rule.ts";

const rule = (...times: number[]) =>
  ({ name: "Everyone", pendingAutomatedRollouts: times.map((time) => ({ time, passPercent: 50 })) }) as unknown as Rule;

test("the next rollout is due at the earliest time in whole milliseconds, and never before it", () => {
  expect(nextRollout([rule(3_000), rule(2_000.25, 5_000)])).toBe(2_001);
  expect(nextRollout([rule()])).toBeNull();
});

import { expect, test } from "vitest";
import { createRequestLimiter } from "./request-limiter.ts";

const caller = (id: string, projectID = "default") => ({ actor: { id, name: id, email: null }, projectID });

/** A limiter whose clock stands still. */
function startLimiter(limits: { evaluation?: number; events?: number }) {
  const clock = { now: 5_000 };
  const limiter = createRequestLimiter(limits, () => clock.now);
  const take = (...given: Parameters<NonNullable<typeof limiter>["take"]>) => {
    try {
      limiter?.take(...given);
      return "allowed";
    } catch (error) {
      return (error as { retryAfterS?: number }).retryAfterS;
    }
  };
  return { clock, take };
}

test("refuses requests beyond the limit until the window ends, and says when that is", () => {
  const { clock, take } = startLimiter({ evaluation: 2 });
  expect([1, 2, 3].map(() => take("evaluation", caller("a")))).toEqual(["allowed", "allowed", 10]);
  clock.now += 8_999;
  expect(take("evaluation", caller("a"))).toBe(2);
  clock.now += 1_001;
  expect([1, 2, 3].map(() => take("evaluation", caller("a")))).toEqual(["allowed", "allowed", 10]);
});

test("counts each key of each project for itself", () => {
  const { take } = startLimiter({ evaluation: 1 });
  const callers = [caller("a"), caller("b"), caller("a", "other")];
  expect(callers.map((one) => take("evaluation", one))).toEqual(["allowed", "allowed", "allowed"]);
  expect(callers.map((one) => take("evaluation", one))).toEqual([10, 10, 10]);
});

test("counts events apart from evaluation, and limits only what has a limit", () => {
  const both = startLimiter({ evaluation: 1, events: 1 });
  expect([both.take("evaluation", caller("a")), both.take("events", caller("a"))]).toEqual(["allowed", "allowed"]);
  const { take } = startLimiter({ events: 1 });
  expect([1, 2, 3].map(() => take("evaluation", caller("a")))).toEqual(["allowed", "allowed", "allowed"]);
  expect(createRequestLimiter({})).toBeUndefined();
});

import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { deadline, joinSignals, untilAborted } from "./signals.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a deadline aborts on time even if only its listener refers to it and garbage is collected first", async () => {
  const waiting = new AbortController();
  const late = new Promise<boolean>((resolve) => {
    const { signal, isLate } = deadline(50, waiting.signal);
    signal.addEventListener("abort", () => resolve(isLate()));
  });
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await turn();
  }
  expect(await late).toBe(true);
});

test("a deadline aborts with another signal, for the same reason", () => {
  const caller = new AbortController();
  const { signal, isLate, release } = deadline(600_000, undefined, caller.signal);
  caller.abort("left");
  expect([signal.aborted, signal.reason, isLate()]).toEqual([true, "left", false]);
  release();
  expect(deadline(600_000, AbortSignal.abort("before")).signal.reason).toBe("before");
});

test("a deadline of months does not abort at once", async () => {
  const { signal, release } = deadline(2 ** 40);
  const short = deadline(5);
  await new Promise((resolve) => short.signal.addEventListener("abort", resolve));
  expect(signal.aborted).toBe(false);
  release();
});

test("joined signals abort with the first of them until they are released", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const [kept, released] = [joinSignals(first.signal, second.signal), joinSignals(first.signal, second.signal)];
  released.release();
  second.abort("second");
  first.abort("first");
  expect([kept.signal.reason, released.signal.aborted]).toEqual(["second", false]);
});

test("work that never settles is rejected when its signal aborts, and other work settles as it does", async () => {
  const caller = new AbortController();
  const never = untilAborted(caller.signal, new Promise(() => {}));
  expect(await untilAborted(caller.signal, Promise.resolve(1))).toBe(1);
  await expect(untilAborted(caller.signal, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  caller.abort(new Error("left"));
  await expect(never).rejects.toThrow("left");
  await expect(untilAborted(caller.signal, Promise.reject(new Error("failed")))).rejects.toThrow("left");
});

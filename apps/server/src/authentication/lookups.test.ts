import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLookups } from "./lookups.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("a look-up without an answer after two seconds fails", async () => {
  const { inTime } = createLookups(
    async () => new Map(),
    () => true,
  );
  const answer = expect(inTime(new Promise(() => {}), false)).rejects.toMatchObject({ code: "unavailable" });
  vi.advanceTimersByTime(2_000);
  await answer;
});

test("a database that cannot hang is waited for, unless there is an earlier result", async () => {
  const { inTime } = createLookups(
    async () => new Map(),
    () => false,
  );
  let answer: (value: string) => void = () => {};
  const lookup = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const [patient, impatient] = [inTime(lookup, false), inTime(lookup, true)];
  const failed = expect(impatient).rejects.toMatchObject({ code: "unavailable" });
  vi.advanceTimersByTime(2_000);
  await failed;
  answer("found");
  expect(await patient).toBe("found");
});

test("an answer that a busy process reads only after the timer still counts", async () => {
  const { inTime } = createLookups(
    async () => new Map(),
    () => true,
  );
  let arrive: (value: string) => void = () => {};
  const answer = inTime(
    new Promise<string>((resolve) => {
      arrive = resolve;
    }),
    false,
  );
  vi.advanceTimersByTime(2_000);
  arrive("found");
  expect(await answer).toBe("found");
});

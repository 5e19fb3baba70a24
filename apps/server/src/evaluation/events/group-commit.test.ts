import { describe, expect, test, vi } from "vitest";
import { eventContext } from "../../../test/support/event-origin.ts";
import { AppError } from "../../common/errors.ts";
import { toWaiting, type WaitingBatch } from "./event-batch.ts";
import { createGroupCommit } from "./group-commit.ts";
import { type EventRow, readEvent } from "./logged-event.ts";

const toRow = (event: object) => readEvent({ eventName: "x", ...event }, eventContext(1)) as EventRow;
const buildBatch = (content: string, ...events: object[]) =>
  toWaiting("p", "test", (events.length > 0 ? events : [{}]).map(toRow), content);
const largeBatch = (content: string, size: number) => buildBatch(content, { metadata: { text: "x".repeat(size) } });

/** A fake database that finishes a write when the test says so. */
function writer() {
  const groups: WaitingBatch[][] = [];
  const pending: { resolve(): void; reject(error: unknown): void }[] = [];
  const commit = createGroupCommit((batches) => {
    groups.push(batches);
    return new Promise<void>((resolve, reject) => pending.push({ resolve, reject }));
  });
  const settle = async (how: (one: { resolve(): void; reject(error: unknown): void }) => void) => {
    const one = pending.shift();
    if (one) how(one);
    await new Promise(setImmediate);
  };
  return {
    commit,
    groups,
    done: () => settle(({ resolve }) => resolve()),
    fail: (error: unknown) => settle(({ reject }) => reject(error)),
  };
}

const overloaded = { code: "unavailable", message: "Events arrive faster than the database can store them. Send them again shortly." };

describe("a group commit", () => {
  test("writes batches that arrive during a write together, and resolves each after its own write", async () => {
    const { commit, groups, done } = writer();
    const answered: string[] = [];
    const store = (content: string) => commit.store(buildBatch(content)).then(() => answered.push(content));
    const all = [store("a"), store("b"), store("c")];
    await done();
    expect([groups.map(({ length }) => length), answered]).toEqual([[1, 2], ["a"]]);
    await done();
    await Promise.all(all);
    expect([groups.length, answered, commit.size()]).toEqual([2, ["a", "b", "c"], 0]);
  });

  test("writes a batch once if it is repeated during the write", async () => {
    const { commit, groups, done } = writer();
    const both = [commit.store(buildBatch("a")), commit.store(buildBatch("a"))];
    await done();
    await Promise.all(both);
    expect(groups.length).toBe(1);
  });

  test("writes batches that share an event one after the other", async () => {
    const { commit, groups, done } = writer();
    const all = ["a", "b", "c"].map((content) => commit.store(buildBatch(content, { eventID: content === "a" ? "other" : "same" })));
    for (let count = 0; count < 3; count++) await done();
    await Promise.all(all);
    expect(groups.map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test("bounds a group, and writes a larger batch by itself", async () => {
    const { commit, groups, done } = writer();
    const sizes = [1, 3 * 2 ** 20, 2 ** 19, 2 ** 20, 2 ** 20];
    // Split into rows, since the length of one row's metadata is bounded.
    const split = (size: number) =>
      Array.from({ length: Math.ceil(size / 2 ** 19) }, () => ({ metadata: { text: "x".repeat(Math.min(size, 2 ** 19)) } }));
    const all = sizes.map((size, index) => commit.store(buildBatch(String(index), ...split(size))));
    for (let count = 0; count < 3; count++) await done();
    await Promise.all(all);
    expect(groups.map((group) => group.length)).toEqual([1, 2, 2]);
  });

  test("rejects batches while the queue is full, and accepts them again afterwards", async () => {
    const { commit, groups, done } = writer();
    const kept = Array.from({ length: 32 }, (_, index) => commit.store(largeBatch(String(index), 2 ** 20 - 1000)));
    await expect(commit.store(largeBatch("too much", 2 ** 20 - 1000))).rejects.toMatchObject(overloaded);
    expect(commit.size()).toBeLessThanOrEqual(32 * 2 ** 20);
    while (commit.size() > 0) await done();
    await Promise.all(kept);
    const again = commit.store(largeBatch("too much", 2 ** 20 - 1000));
    await done();
    await again;
    expect(groups.flat().length).toBe(33);
  });

  test("rejects a batch after five seconds in the queue, and does not write it", async () => {
    vi.useFakeTimers();
    const { commit, groups, done } = writer();
    const answers = ["written", "waiting"].map((content) => commit.store(buildBatch(content)).catch((error) => error));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await Promise.all(answers)).toEqual([expect.objectContaining(overloaded), expect.objectContaining(overloaded)]);
    vi.useRealTimers();
    await done();
    await commit.idle();
    expect([groups.length, commit.size()]).toEqual([1, 0]);
  });

  test("writes each batch by itself if a group fails, so that one cannot fail another", async () => {
    const { commit, groups, done, fail } = writer();
    const answers = ["a", "b", "c"].map((content) =>
      commit.store(buildBatch(content)).then(
        () => "kept",
        (error) => error.message,
      ),
    );
    await done();
    await fail(new Error("of one of them"));
    await fail(new Error("of b"));
    await done();
    expect(await Promise.all(answers)).toEqual(["kept", "of b", "kept"]);
    expect(groups.map(({ length }) => length)).toEqual([1, 2, 1, 1]);
  });

  test("rejects the whole group while the database is away", async () => {
    const { commit, groups, done, fail } = writer();
    const answers = ["a", "b", "c"].map((content) =>
      commit.store(buildBatch(content)).then(
        () => "kept",
        (error) => error.code,
      ),
    );
    await done();
    await fail(new AppError("unavailable", "away"));
    expect(await Promise.all(answers)).toEqual(["kept", "unavailable", "unavailable"]);
    expect(groups.length).toBe(2);
  });
});

import { expect, test } from "vitest";
import { createFairLimit, createFairQueue } from "./fair-queue.ts";

const UNBOUNDED = { each: 100, all: 100 };
/** Runs all pending tasks that need no other event. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is ended. */
function startable(limit: ReturnType<typeof createFairLimit>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    start: (party: string, name: string, signal?: AbortSignal) =>
      limit.run(
        party,
        () =>
          new Promise<void>((resolve) => {
            begun.push(name);
            ends.set(name, resolve);
          }),
        signal,
      ),
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

test("parties have turns one after the other, however many items each has", () => {
  const queue = createFairQueue<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) queue.add("a", item);
  queue.add("b", "b1");
  queue.add("b", "b2");
  queue.add("c", "c1");
  expect(queue.size).toBe(7);
  queue.remove("a", "a2");
  const taken = Array.from({ length: 7 }, () => queue.take()?.item);
  expect(taken).toEqual(["a1", "b1", "c1", "a3", "b2", "a4", undefined]);
});

test("a party that may not have a turn keeps it for later", () => {
  const queue = createFairQueue<string>();
  queue.add("a", "a1");
  queue.add("b", "b1");
  expect(queue.take((party) => party !== "a")).toEqual({ party: "b", item: "b1" });
  expect(queue.take()).toEqual({ party: "a", item: "a1" });
});

test("no party runs more than its share, and the places of the others stay free", async () => {
  const { begun, start, end } = startable(createFairLimit({ running: { each: 2, all: 3 }, waiting: UNBOUNDED }, () => new Error("full")));
  for (const name of ["a1", "a2", "a3", "a4"]) void start("a", name);
  void start("b", "b1");
  void start("b", "b2");
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("a party over its waiting limit is refused, and other parties can still wait", async () => {
  const limit = createFairLimit({ running: { each: 1, all: 1 }, waiting: { each: 1, all: 2 } }, () => new Error("full"));
  const { begun, start, end } = startable(limit);
  void start("a", "a1");
  void start("a", "a2");
  await expect(start("a", "a3")).rejects.toThrow("full");
  void start("b", "b1");
  await expect(start("c", "c1")).rejects.toThrow("full");
  await end("a1");
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

test("an entry that leaves the queue does not run and does not block the next one", async () => {
  const { begun, start, end } = startable(createFairLimit({ running: { each: 1, all: 1 }, waiting: UNBOUNDED }, () => new Error("full")));
  const leaving = new AbortController();
  void start("a", "a1");
  const left = start("a", "a2", leaving.signal);
  void start("a", "a3");
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  await end("a1");
  expect(begun).toEqual(["a1", "a3"]);
});

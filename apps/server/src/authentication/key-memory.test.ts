import { describe, expect, test } from "vitest";
import { waitFor } from "../../test/support/wait-for.ts";
import { unavailable } from "../common/errors.ts";
import { createKeyMemory } from "./key-memory.ts";

/** A memory over keys that a test creates and revokes, with the queries that it makes. */
function start(existing: string[] = []) {
  const clock = { now: 1_000_000 };
  const keys = new Set(existing);
  const queries: string[][] = [];
  let isAway = false;
  let isHeld = false;
  /** Queries that wait for `answer`. */
  let held: (() => void)[] | undefined;
  const memory = createKeyMemory(
    async (names) => {
      queries.push(names);
      const found = new Map(names.filter((name) => keys.has(name)).map((name) => [name, `opened by ${name}`]));
      if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve));
      if (isAway) throw unavailable(new Error("The database is away."));
      return found;
    },
    () => clock.now,
    { mayHang: () => true, isHeld: () => isHeld },
  );
  return {
    clock,
    keys,
    queries,
    memory,
    setAway: (away: boolean) => {
      isAway = away;
    },
    setHeld: (isHeldNow: boolean) => {
      isHeld = isHeldNow;
    },
    hold: () => {
      held = [];
    },
    answer: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const resolve of waiting) resolve();
    },
  };
}

describe("look-ups", () => {
  test("that wait together are one query, with each name once", async () => {
    const { memory, queries, hold, answer } = start(["a", "b"]);
    hold();
    const first = memory.get("a");
    const others = ["b", "x", "y", "x", "b"].map((name) => memory.get(name));
    expect(queries).toEqual([["a"]]);
    answer();
    expect(await Promise.all([first, ...others])).toEqual(["opened by a", "opened by b", undefined, undefined, undefined, "opened by b"]);
    expect(queries).toEqual([["a"], ["b", "x", "y"]]);
  });

  test("are batched in queries of a thousand names", async () => {
    const { memory, queries } = start();
    await Promise.all(Array.from({ length: 5_001 }, (_, index) => memory.get(`x${index}`)));
    expect(queries.map(({ length }) => length)).toEqual([1, 1000, 1000, 1000, 1000, 1000]);
  });

  test("that fail reject for all waiting callers, and the next caller retries", async () => {
    const { memory, queries, setAway } = start(["a"]);
    setAway(true);
    await expect(Promise.all([memory.get("a"), memory.get("b")])).rejects.toMatchObject({ code: "unavailable" });
    setAway(false);
    expect(await memory.get("a")).toBe("opened by a");
    expect(queries).toHaveLength(3);
  });
});

describe("a name that no key has", () => {
  test("is looked up once per half second", async () => {
    const { memory, queries, clock, keys } = start();
    expect(await memory.get("x")).toBeUndefined();
    keys.add("x");
    clock.now += 499;
    expect(await memory.get("x")).toBeUndefined();
    expect(queries).toHaveLength(1);
    clock.now += 1;
    expect(await memory.get("x")).toBe("opened by x");
  });

  test("is looked up at once after a key was created, even if a look-up began before", async () => {
    const { memory, keys, hold, answer } = start();
    expect(await memory.get("x")).toBeUndefined();
    hold();
    const early = memory.get("y");
    keys.add("x").add("y");
    memory.forgetRefused();
    answer();
    expect(await early).toBeUndefined();
    expect([await memory.get("x"), await memory.get("y")]).toEqual(["opened by x", "opened by y"]);
  });

  test("evicts no key, and the memory for such names is bounded", async () => {
    const { memory, queries, setAway, clock } = start(["a"]);
    await memory.get("a");
    await Promise.all(Array.from({ length: 25_000 }, (_, index) => memory.get(`x${index}`)));
    const before = queries.length;
    expect(await memory.get("a")).toBe("opened by a");
    expect(await memory.get("x24999")).toBeUndefined();
    expect(queries).toHaveLength(before);
    await memory.get("x14999");
    expect(queries).toHaveLength(before + 1);
    setAway(true);
    clock.now += 60_000;
    expect(await memory.get("a")).toBe("opened by a");
  });
});

describe("an active key", () => {
  test("is trusted for half a second from the start of its look-up, and rejected by the first look-up after its revocation", async () => {
    const { memory, queries, clock, keys } = start(["a"]);
    await memory.get("a");
    keys.delete("a");
    clock.now += 499;
    expect(await memory.get("a")).toBe("opened by a");
    expect(queries).toHaveLength(1);
    clock.now += 1;
    expect(await memory.get("a")).toBeUndefined();
  });

  test("is looked up again while a look-up hangs that began more than half a second ago", async () => {
    const { memory, queries, clock, hold, answer, keys } = start(["a"]);
    hold();
    const early = memory.get("a");
    keys.delete("a");
    clock.now += 500;
    const late = memory.get("a");
    answer();
    expect([await early, await late]).toEqual(["opened by a", undefined]);
    expect(queries).toEqual([["a"], ["a"]]);
    expect(await memory.get("a")).toBeUndefined();
  });

  test("is trusted for an hour while the database is away, and retried every half second", async () => {
    const { memory, queries, clock, setAway } = start(["a"]);
    await memory.get("a");
    setAway(true);
    clock.now += 3_600_000;
    expect(await memory.get("a")).toBe("opened by a");
    clock.now += 499;
    expect(await memory.get("a")).toBe("opened by a");
    expect(queries).toHaveLength(2);
    clock.now += 1;
    await expect(memory.get("a")).rejects.toMatchObject({ code: "unavailable" });
    setAway(false);
    expect(await memory.get("a")).toBe("opened by a");
  });

  test("needs no look-up while an analysis holds the database, for an hour", async () => {
    const { memory, queries, clock, keys, setHeld } = start(["a"]);
    await memory.get("a");
    setHeld(true);
    clock.now += 3_600_000;
    expect(await memory.get("a")).toBe("opened by a");
    expect(queries).toHaveLength(1);
    keys.delete("a");
    setHeld(false);
    expect(await memory.get("a")).toBeUndefined();
  });

  test("works while the database hangs, and a late result counts", async () => {
    const { memory, clock, hold, answer, keys } = start(["a"]);
    await memory.get("a");
    keys.delete("a");
    hold();
    clock.now += 500;
    expect(await memory.get("a")).toBe("opened by a");
    answer();
    await waitFor(async () => expect(await memory.get("a")).toBeUndefined());
  });
});

import { expect, test } from "vitest";
import { createLargeBodies } from "./large-bodies.ts";

const MIB = 2 ** 20;
/** Lets pending promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("large bodies have their turns one at a time, in the order of arrival", async () => {
  const bodies = createLargeBodies();
  const begun: number[] = [];
  const turns = [1, 2, 3].map((number) => {
    const turn = bodies.turn("a");
    void turn.take(MIB).then(() => begun.push(number));
    return turn;
  });
  await settle();
  expect(begun).toEqual([1]);
  turns[0]?.end();
  turns[0]?.end();
  await settle();
  expect(begun).toEqual([1, 2]);
  turns[1]?.end();
  await settle();
  expect(begun).toEqual([1, 2, 3]);
});

test("a parsed body passes the turn to the next, until eight are handled", async () => {
  const bodies = createLargeBodies();
  const begun: number[] = [];
  const turns = Array.from({ length: 10 }, (_, number) => {
    const turn = bodies.turn(number % 2 === 0 ? "a" : "b");
    void turn.take(MIB).then(() => {
      begun.push(number);
      turn.measure(MIB);
      turn.pass();
    });
    return turn;
  });
  await settle();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  turns[5]?.end();
  turns[5]?.end();
  await settle();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("no body has a turn while those that are handled have 32 MiB together", async () => {
  const bodies = createLargeBodies();
  const begun: number[] = [];
  const turns = [16, 16, 1, 1].map((mib, index) => {
    const turn = bodies.turn(`project ${index}`);
    void turn.take(1).then(() => {
      begun.push(mib);
      turn.measure(mib * MIB);
      turn.pass();
    });
    return turn;
  });
  await settle();
  expect(begun).toEqual([16, 16]);
  turns[0]?.end();
  await settle();
  expect(begun).toEqual([16, 16, 1, 1]);
});

test("a request without the turn does not end that of another", async () => {
  const bodies = createLargeBodies();
  await bodies.turn("a").take(MIB);
  let hasBegun = false;
  void bodies
    .turn("a")
    .take(MIB)
    .then(() => {
      hasBegun = true;
    });
  bodies.turn("a").end();
  await settle();
  expect(hasBegun).toBe(false);
});

test.each([
  [64, 1],
  [4, 16 * MIB],
])("beyond %i queued bodies of %i bytes, the next is rejected, until one has had its turn", async (waiting, bytes) => {
  const bodies = createLargeBodies();
  const first = bodies.turn("a");
  await first.take(bytes);
  const others = Array.from({ length: waiting }, (_, index) => bodies.turn(index % 2 === 0 ? "a" : "b").take(bytes));
  await expect(bodies.turn("c").take(bytes)).rejects.toMatchObject({ code: "unavailable" });
  first.end();
  await others[0];
  void bodies.turn("c").take(bytes);
  await expect(bodies.turn("c").take(bytes)).rejects.toMatchObject({ code: "unavailable" });
});

test.each([
  [6, 1],
  [2, 8 * MIB],
])(
  "a project handles %i bodies of %i bytes at once, and leaves room for others, which do not wait behind the rest",
  async (most, bytes) => {
    const bodies = createLargeBodies();
    const begun: string[] = [];
    const start = (party: string) => {
      const turn = bodies.turn(party);
      void turn.take(1).then(() => {
        begun.push(party);
        turn.measure(bytes);
        turn.pass();
      });
    };
    for (let count = 0; count <= most; count += 1) start("a");
    start("b");
    await settle();
    expect(begun).toEqual(["a", "a", "b", ...Array.from({ length: most - 2 }, () => "a")]);
  },
);

test("beyond 32 queued bodies of a project, its next is rejected, and those of others wait", async () => {
  const bodies = createLargeBodies();
  await bodies.turn("a").take(1);
  for (let count = 0; count < 32; count += 1) void bodies.turn("a").take(1);
  await expect(bodies.turn("a").take(1)).rejects.toMatchObject({ code: "unavailable" });
  const other = bodies.turn("b").take(1);
  expect(await Promise.race([other, settle().then(() => "waits")])).toBe("waits");
});

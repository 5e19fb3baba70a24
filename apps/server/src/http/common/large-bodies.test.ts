import { expect, test } from "vitest";
import { createLargeBodies } from "./large-bodies.ts";

const MIB = 2 ** 20;
/** Lets what can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("large bodies have their turn one at a time, in the order in which they came", async () => {
  const bodies = createLargeBodies();
  const begun: number[] = [];
  const turns = [1, 2, 3].map((number) => {
    const turn = bodies.turn();
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

test("one that has not taken its turn ends nobody's", async () => {
  const bodies = createLargeBodies();
  await bodies.turn().take(MIB);
  let hasBegun = false;
  void bodies
    .turn()
    .take(MIB)
    .then(() => {
      hasBegun = true;
    });
  bodies.turn().end();
  await settle();
  expect(hasBegun).toBe(false);
});

test.each([
  [64, 1],
  [4, 16 * MIB],
])("beyond %i that wait with %i bytes each, the next is refused, until one had its turn", async (waiting, bytes) => {
  const bodies = createLargeBodies();
  const first = bodies.turn();
  await first.take(bytes);
  const others = Array.from({ length: waiting }, () => bodies.turn().take(bytes));
  await expect(bodies.turn().take(bytes)).rejects.toMatchObject({ code: "unavailable" });
  first.end();
  await others[0];
  void bodies.turn().take(bytes);
  await expect(bodies.turn().take(bytes)).rejects.toMatchObject({ code: "unavailable" });
});

import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("the result is cached until an input is another object, or a list of other objects", () => {
  let made = 0;
  const count = memoize((_subject: object, _name: string, _list: readonly object[]) => ++made);
  const [subject, one, other] = [{}, {}, {}];
  expect(count(subject, "a", [one])).toBe(1);
  expect(count(subject, "a", [one])).toBe(1);
  expect(count(subject, "a", [other])).toBe(2);
  expect(count(subject, "b", [other])).toBe(3);
  expect(count({}, "b", [other])).toBe(4);
});

test("it cannot be a callback of `map`, which would pass further arguments", () => {
  const measureLength = memoize((list: object[]) => list.length);
  const lists = [[{}], [{}, {}]];
  // @ts-expect-error
  expect(lists.map(measureLength)).toEqual([1, 2]);
  expect(lists.map((list) => measureLength(list))).toEqual([1, 2]);
});

import { expect, test } from "vitest";
import { sortedNames } from "./sorted-names.ts";

const NAMES = [
  { name: "a", count: 5, firstTime: 1, lastTime: 30 },
  { name: "b", count: 7, firstTime: 1, lastTime: 30 },
  { name: "c", count: 5, firstTime: 1, lastTime: 90 },
];
const order = (...given: Parameters<typeof sortedNames> extends [unknown, ...infer Rest] ? Rest : never) =>
  sortedNames(NAMES, ...given).map(({ name }) => name);

test("names are ordered by the last event, by the count or by themselves, in both directions", () => {
  expect(order("lastTime", "desc")).toEqual(["c", "a", "b"]);
  expect(order("count", "desc")).toEqual(["b", "a", "c"]);
  expect(order("count", "asc")).toEqual(["a", "c", "b"]);
  expect(order("name", "desc")).toEqual(["c", "b", "a"]);
});

import { expect, test } from "vitest";
import { toggled } from "./favorites.ts";

const page = (name: string) => ({ path: `/projects/p/gates/${name}`, name, noun: "gate" });

test("a favorite comes first, and is none when it is chosen again", () => {
  const two = toggled(toggled([], page("a")), page("b"));
  expect(two).toEqual([page("b"), page("a")]);
  expect(toggled(two, { ...page("a"), name: "Renamed" })).toEqual([page("b")]);
});

test("at most 100 favorites are kept", () => {
  const many = Array.from({ length: 101 }, (_, index) => page(`${index}`)).reduce(toggled, []);
  expect(many).toHaveLength(100);
  expect(many.at(-1)).toEqual(page("1"));
});

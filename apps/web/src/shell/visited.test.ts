import { expect, test } from "vitest";
import { parseVisited, withVisit } from "./visited.ts";

const page = (id: number | string) => ({ path: `/projects/shop/gates/${id}`, name: `Gate ${id}`, noun: "gate" });

test("a visit comes first, is listed once, and the list has eight pages", () => {
  const eight = Array.from({ length: 8 }, (_, index) => page(index));
  expect(withVisit(eight, page(3)).map(({ path }) => path.at(-1))).toEqual(["3", "0", "1", "2", "4", "5", "6", "7"]);
  expect(withVisit(eight, page("new"))).toHaveLength(8);
});

test("only pages of the project are read from the browser, and no other text", () => {
  const kept = JSON.stringify([page(1), { ...page(2), path: "https://elsewhere.example/projects/shop/" }, { path: 1 }, null]);
  expect(parseVisited(kept, "shop")).toEqual([page(1)]);
  expect(parseVisited("{", "shop")).toEqual([]);
  expect(parseVisited(null, "shop")).toEqual([]);
});

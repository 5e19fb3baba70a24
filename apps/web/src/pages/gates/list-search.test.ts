import { expect, test } from "vitest";
import { gateListRequest, gateListSearch } from "./list-search.ts";

test("an address becomes the request of the list", () => {
  const search = gateListSearch({
    search: "checkout",
    status: "Launched",
    tags: ["a"],
    onIn: "staging",
    sort: "name",
    order: "desc",
    page: 3,
  });
  expect(gateListRequest(search)).toEqual({
    query: { search: "checkout", status: ["Launched"], tags: ["a"], onIn: "staging", sort: "name", order: "desc", page: 3, limit: 100 },
  });
});

test("invalid parts of an address are left out", () => {
  expect(gateListSearch({ status: "Nonsense", sort: "size", order: "up", page: 0, type: "x", tags: "", search: "" })).toEqual({});
  expect(gateListSearch({ page: 1e9, tags: 5 })).toEqual({ tags: ["5"] });
});

test("a search of digits stays a text", () => {
  expect(gateListSearch({ search: 2026 })).toEqual({ search: "2026" });
});

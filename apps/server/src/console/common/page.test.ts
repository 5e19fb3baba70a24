import { describe, expect, test } from "vitest";
import { paginate, toWindow } from "./page.ts";

test.each([
  [{}, { skip: 0, take: 100 }],
  [
    { limit: 10, page: 3 },
    { skip: 20, take: 10 },
  ],
  [
    { limit: 0, page: 2 },
    { skip: 0, take: 0 },
  ],
])("the query %j shows the rows %j", (query, window) => {
  expect(toWindow(query)).toEqual(window);
});

describe("paginate", () => {
  test("links to both neighbours, with the filters and without what is undefined", () => {
    const query = { limit: 10, page: 2, tags: ["a b", "c&d"], creatorID: null, includeArchived: true, team: undefined };
    const link = (page: number) => `/list?tags=a%20b&tags=c%26d&creatorID=null&includeArchived=true&page=${page}&limit=10`;
    expect(paginate("/list", query, 21)).toEqual({
      itemsPerPage: 10,
      pageNumber: 2,
      totalItems: 21,
      nextPage: link(3),
      previousPage: link(1),
      all: "/list",
    });
  });

  test("a full last page has no next", () => {
    expect(paginate("/list", { limit: 10, page: 2 }, 20)).toMatchObject({ nextPage: null, previousPage: "/list?page=1&limit=10" });
  });

  test("a limit of 0 has no next page, since paging would never end", () => {
    expect(paginate("/list", { limit: 0, page: 1 }, 20)).toMatchObject({ itemsPerPage: 0, nextPage: null, previousPage: null });
  });
});

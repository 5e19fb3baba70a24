import { expect, test } from "vitest";
import { experimentListRequest, experimentListSearch } from "./list-search.ts";

test.each([
  [{ stale: true }, { limit: 100, stale: true }],
  [
    { stale: "true", status: "active" },
    { limit: 100, status: ["active"], stale: true },
  ],
  [{ stale: false }, { limit: 100 }],
  [{ stale: "yes" }, { limit: 100 }],
])("the address %o asks for %o", (search, query) => {
  expect(experimentListRequest(experimentListSearch(search))).toEqual({ query });
});

import { expect, test } from "vitest";
import type { Entry } from "./entries.ts";
import { readWholeRequests } from "./whole-requests.ts";

/** Entries of requests, such as `aab`, with the numbers from their count down. */
const log = (requests: string) =>
  [...requests].map(
    (requestID, index) =>
      ({
        ...{ seq: requests.length - index, time: 5, actor: { id: "p" }, reason: null, origin: { requestID } },
        entity: requestID === "-" ? null : { type: "gate", id: `${index}` },
      }) as Entry,
  );

/** The requests of all pages, with how many entries each read asked for. */
async function pages(requests: string, most = 100) {
  const entries = log(requests);
  const limits: number[] = [];
  const read = async (before = Number.POSITIVE_INFINITY, limit: number) => {
    limits.push(limit);
    return entries.filter(({ seq }) => seq < before).slice(0, limit);
  };
  const found: string[] = [];
  for (let next: number | null | undefined; next !== null; ) {
    const page = await readWholeRequests(read, next, { page: 4, atOnce: 3, most });
    found.push(page.entries.map(({ origin }) => origin.requestID).join(""));
    next = page.next;
  }
  return { found, limits };
}

test("a page is read on to the end of the request that it ends in", async () => {
  expect(await pages("abccccccde")).toEqual({ found: ["abcccccc", "de"], limits: [4, 3, 3, 4] });
  expect(await pages("abccccc")).toEqual({ found: ["abccccc"], limits: [4, 3, 3] });
});

test("the last entry of a full page is left to the next page, unless it belongs to no request", async () => {
  expect(await pages("abcdde")).toEqual({ found: ["abc", "dde"], limits: [4, 4] });
  expect(await pages("abc-dd")).toEqual({ found: ["abc-", "dd"], limits: [4, 4] });
});

test("a request with more entries than a page can have goes on with the next page", async () => {
  expect((await pages("aaaaaaaaaaab", 6)).found).toEqual(["aaaaaaa", "aaaa", "b"]);
});

import { describe, expect, test } from "vitest";
import { createConsoleClient, pages } from "../src/index.ts";
import { json, recorder, type Sent } from "./recorder.ts";

/** A server with a list of `total` gates, g1 to g<total>. */
function createListServer(total: number, { withPagination = true } = {}) {
  const { sent, fetch } = recorder((request) => {
    const query = new URL(request.url).searchParams;
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    const start = (page - 1) * limit;
    const data = Array.from({ length: Math.max(0, Math.min(limit, total - start)) }, (_, i) => ({ id: `g${start + i + 1}` }));
    const nextPage = start + limit < total ? `/console/v1/gates?page=${page + 1}&limit=${limit}` : null;
    return json(200, { message: "Gates listed successfully.", data, ...(withPagination && { pagination: { nextPage } }) });
  });
  return { sent, api: createConsoleClient({ baseUrl: "http://gatehouse.test", apiKey: "console-key", fetch }) };
}

async function ids(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of list) found.push(id);
  return found;
}

const queries = (sent: Sent[]) => sent.map(({ url }) => new URL(url).search);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => `g${i + 1}`);

describe.each([
  ["a list with pagination", true],
  ["a list without pagination", false],
])("%s", (_, withPagination) => {
  test("is read over three pages, each with the filters", async () => {
    const { sent, api } = createListServer(5, { withPagination });
    expect(await ids(pages(api.listGates, { query: { tags: ["a", "b"], limit: 2 } }))).toEqual(upTo(5));
    expect(queries(sent)).toEqual([1, 2, 3].map((page) => `?tags=a&tags=b&limit=2&page=${page}`));
  });

  test("is read in pages of a hundred", async () => {
    const { sent, api } = createListServer(120, { withPagination });
    expect(await ids(pages(api.listGates))).toEqual(upTo(120));
    expect(queries(sent)).toEqual(["?limit=100&page=1", "?limit=100&page=2"]);
  });

  test("may be empty", async () => {
    const { sent, api } = createListServer(0, { withPagination });
    expect(await ids(pages(api.listGates))).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  test("can begin at a later page", async () => {
    const { api } = createListServer(5, { withPagination });
    expect(await ids(pages(api.listGates, { query: { limit: 2, page: 2 } }))).toEqual(["g3", "g4", "g5"]);
  });

  test("requests no page that its reader does not reach", async () => {
    const { sent, api } = createListServer(5, { withPagination });
    for await (const { id } of pages(api.listGates, { query: { limit: 2 } })) if (id === "g2") break;
    expect(sent).toHaveLength(1);
  });
});

test("a last page that is full ends a list with pagination", async () => {
  const { sent, api } = createListServer(4);
  expect(await ids(pages(api.listGates, { query: { limit: 2 } }))).toEqual(upTo(4));
  expect(sent).toHaveLength(2);
});

test("an empty page ends a list without pagination whose last page is full", async () => {
  const { sent, api } = createListServer(4, { withPagination: false });
  expect(await ids(pages(api.listGates, { query: { limit: 2 } }))).toEqual(upTo(4));
  expect(sent).toHaveLength(3);
});

test("the signal ends the iteration", async () => {
  const { sent, api } = createListServer(4);
  const controller = new AbortController();
  const walk = async () => {
    for await (const _ of pages(api.listGates, { query: { limit: 2 }, signal: controller.signal })) controller.abort();
  };
  await expect(walk()).rejects.toMatchObject({ name: "AbortError" });
  expect(sent).toHaveLength(1);
});

test("an error of a page is thrown when the iteration reaches it", async () => {
  const full = json(200, { message: "", data: [{ id: "g1" }], pagination: { nextPage: "/console/v1/gates?page=2" } });
  const { fetch } = recorder(full, json(401, { status: 401, code: "unauthorized", message: "No." }));
  const api = createConsoleClient({ baseUrl: "http://gatehouse.test", apiKey: "console-key", fetch });
  const walk = pages(api.listGates);
  expect(await walk.next()).toMatchObject({ value: { id: "g1" }, done: false });
  await expect(walk.next()).rejects.toMatchObject({ status: 401, operationId: "listGates" });
});

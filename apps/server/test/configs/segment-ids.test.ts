import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { archived, makeList, readIDs, readListFile, readSegment, wrongType } from "../support/segments.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const add = (id: string, ids: string[]) => server.client.addSegmentIDs({ path: { id }, body: { ids } });
const range = (length: number) => Array.from({ length }, (_, index) => index);

describe("getSegmentIDList", () => {
  test("200: in pages, ordered by code points", async () => {
    const id = await makeList(server, ["b", "é", "B", "🚪", "a b", "\uffee"]);
    const { data, message, pagination } = await server.client.getSegmentIDList({ path: { id }, query: { limit: 2, page: 2 } });
    expect(message).toBe("Segments listed successfully.");
    expect(data).toEqual({ name: expect.stringMatching(/^list \d+$/), count: 6, ids: ["b", "é"] });
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 2,
      totalItems: 6,
      nextPage: `/console/v1/segments/${id}/id_list?page=3&limit=2`,
      previousPage: `/console/v1/segments/${id}/id_list?page=1&limit=2`,
      all: `/console/v1/segments/${id}/id_list`,
    });
    expect(await readIDs(server, id)).toEqual(["B", "a b", "b", "é", "\uffee", "🚪"]);
  });

  test("200: a new list is empty; ids of a user store's list are listed too", async () => {
    expect(await readIDs(server, await makeList(server))).toEqual([]);
    expect(await readIDs(server, await makeList(server, ["a"], "user_store_id_list"))).toEqual(["a"]);
  });

  test("200: finds the ids that start with a text, with an equal id first", async () => {
    const all = ["user_1", "user_10", "user_12", "User_1", "user%1", "user_2", "user", "é", "éa", "🚪", "🚪\u{10FFFF}b"];
    const id = await makeList(server, all);
    const find = async (startsWith: string, limit = 100) => {
      const { data, pagination } = await server.client.getSegmentIDList({ path: { id }, query: { startsWith, limit } });
      return { ids: data.ids, count: data.count, nextPage: pagination.nextPage };
    };
    expect(await find("user_1")).toEqual({ ids: ["user_1", "user_10", "user_12"], count: 3, nextPage: null });
    const nextPage = `/console/v1/segments/${id}/id_list?startsWith=user_1&page=2&limit=1`;
    expect(await find("user_1", 1)).toEqual({ ids: ["user_1"], count: 3, nextPage });
    expect(await find("user%")).toMatchObject({ ids: ["user%1"], count: 1 });
    expect(await find("é")).toMatchObject({ ids: ["é", "éa"], count: 2 });
    expect(await find("🚪")).toMatchObject({ ids: ["🚪", "🚪\u{10FFFF}b"], count: 2 });
    expect(await find("zoe")).toEqual({ ids: [], count: 0, nextPage: null });
  });

  test.each(["rule_based", "analysis_list"] as const)("400: a segment of type %s", async (type) => {
    const id = await makeList(server, [], type);
    expect(await refusal(server.client.getSegmentIDList({ path: { id } }))).toEqual(wrongType("id_list", "read"));
  });
});

describe("addSegmentIDs", () => {
  test("200: ignores duplicates; each call creates a version", async () => {
    const id = await makeList(server);
    server.clock.now += 1000;
    expect(await add(id, ["a", "b", "a"])).toMatchObject({ message: "IDs successfully added to Segment ID List", changedCount: 2 });
    expect(await add(id, ["b"])).toMatchObject({ changedCount: 0 });
    await add(id, ["b", "c"]);
    await add(id, ["c"]);
    expect(await readIDs(server, id)).toEqual(["a", "b", "c"]);
    expect(await readSegment(server, id)).toMatchObject({ count: 3, version: 5, lastModifiedTime: server.clock.now });
    const changes = await server.database.prisma.change.findMany({ where: { entityID: id }, orderBy: { version: "asc" } });
    expect(changes.map(({ operationID, after }) => [operationID, JSON.parse(after ?? "").count])).toEqual([
      ["createSegment", 0],
      ["addSegmentIDs", 2],
      ["addSegmentIDs", 2],
      ["addSegmentIDs", 3],
      ["addSegmentIDs", 3],
    ]);
  });

  test("200: stores ids unchanged, up to 1000 characters", async () => {
    const ids = [" ", "'; drop table x", '{"a":"b"}', "NULL", "\\", "a".repeat(1000), "🚪".repeat(500)];
    const id = await makeList(server, ids);
    expect((await readIDs(server, id)).toSorted()).toEqual(ids.toSorted());
  });

  test("200: concurrent calls all succeed, and the count is exact", async () => {
    const id = await makeList(server);
    await Promise.all(
      range(8).map((call) =>
        add(
          id,
          range(100).map((index) => `user_${call * 50 + index}`),
        ),
      ),
    );
    expect(await readSegment(server, id)).toMatchObject({ count: 450, version: 9 });
    expect(await readIDs(server, id)).toHaveLength(450);
    expect(await readListFile(server, id)).toHaveLength(450);
  });

  test("200: 100,000 ids in a body of more than 1 MiB; 400: more", async () => {
    const id = await makeList(server);
    const ids = range(100_000).map((index) => `user_${index.toString().padStart(12, "0")}`);
    await add(id, ids);
    expect((await readSegment(server, id)).count).toBe(100_000);
    expect(await refusal(add(id, [...ids, "one more"]))).toEqual(invalid(["ids", "must NOT have more than 100000 items"]));
  });

  test("413: a body over 16 MiB", async () => {
    const id = await makeList(server);
    const send = (ids: string[], rest: number) =>
      server.send("PATCH", `/console/v1/segments/${id}/id_list`, { rawBody: `${JSON.stringify({ ids })}${" ".repeat(rest)}` });
    const ids = ["a"];
    const rest = 16 * 1024 * 1024 - JSON.stringify({ ids }).length;
    expect((await send(ids, rest)).status).toBe(200);
    expect(await send(ids, rest + 1)).toMatchObject({
      status: 413,
      body: { code: "payload_too_large", message: "The body is larger than 16 MiB." },
    });
  });

  test("409: the segment would exceed its limit; no id is added", async () => {
    const id = await makeList(server, ["a"]);
    const full = { ...(await readSegment(server, id)), count: 1_999_999 };
    await server.database.prisma.segment.updateMany({ where: { id }, data: { entity: JSON.stringify(full) } });
    const message = `Segment ${id} would contain 2000001 ids, but at most 2000000 are allowed. Remove some or add fewer.`;
    expect(await refusal(add(id, ["a", "b", "c"]))).toEqual(conflicting(message, "ids"));
    expect(await readIDs(server, id)).toEqual(["a"]);
    await add(id, ["b"]);
    expect((await readSegment(server, id)).count).toBe(2_000_000);
  });

  test("400: ids that cannot be stored, each with its place", async () => {
    const id = await makeList(server);
    expect(await refusal(add(id, ["a", "half \ud83d of a pair", "€".repeat(700)]))).toEqual(
      invalid(["ids[1]", "must be valid Unicode"], ["ids[2]", "must not be longer than 2000 bytes in UTF-8"]),
    );
    expect((await refusal(add(id, [""]))).errors).toEqual([{ property: "ids[0]", errorMessage: "must NOT have fewer than 1 characters" }]);
    expect((await refusal(add(id, ["a".repeat(1001)]))).errors).toEqual([
      { property: "ids[0]", errorMessage: "must NOT have more than 1000 characters" },
    ]);
  });

  test("400: names the first hundred of 100,000 invalid ids, and their number", async () => {
    const id = await makeList(server);
    const rawBody = `{"ids":[${"1,".repeat(99_999)}1]}`;
    const answer = await server.send("PATCH", `/console/v1/segments/${id}/id_list`, { rawBody });
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.body.errors.at(-1)).toEqual({ property: "ids[99]", errorMessage: "must be string" });
    expect(answer.body.errorCount).toBe(100_000);
  });

  test("400: a segment of another type; 409: an archived segment", async () => {
    const other = await makeList(server, [], "user_store_id_list");
    expect(await refusal(add(other, ["a"]))).toEqual(wrongType("id_list"));
    const id = await makeList(server, ["a"]);
    await server.client.archiveSegment({ path: { id } });
    expect(await refusal(add(id, ["b"]))).toEqual(archived(id));
    await server.client.unarchiveSegment({ path: { id } });
    await add(id, ["b"]);
    expect(await readIDs(server, id)).toEqual(["a", "b"]);
  });

  test("412: If-Match names another version of the segment; no id is added", async () => {
    const id = await makeList(server, ["a"]);
    const stale = server.client.addSegmentIDs({ path: { id }, body: { ids: ["b"] }, ifMatch: '"1-x"' });
    expect((await refusal(stale)).status).toBe(412);
    expect(await readIDs(server, id)).toEqual(["a"]);
  });

  test("a dry run returns the count before and after, and adds no ids", async () => {
    const id = await makeList(server, ["a"]);
    const answer = await server.client.addSegmentIDs({ path: { id }, body: { ids: ["a", "b", "c"] }, query: { dryRun: true } });
    expect(answer.changes).toEqual([{ entityType: "segment", entityID: id, fields: [{ field: "count", before: 1, after: 3 }] }]);
    expect(await readIDs(server, id)).toEqual(["a"]);
    expect(await readListFile(server, id)).toHaveLength(1);
  });

  test("a segment with the same id in another project has its own ids", async () => {
    const secret = await makeOtherProject(server);
    const mine = await makeList(server, ["a", "b"]);
    const other = (method: string, path: string, body?: object) => server.send(method, path, { key: secret, ...(body && { body }) });
    expect((await other("PATCH", `/console/v1/segments/${mine}/id_list`, { ids: ["x"] })).status).toBe(404);
    await other("POST", "/console/v1/segments", { name: mine, type: "id_list" });
    await other("PATCH", `/console/v1/segments/${mine}/id_list`, { ids: ["b", "c"] });
    await other("DELETE", `/console/v1/segments/${mine}/id_list`, { ids: ["b"] });
    expect((await other("GET", `/console/v1/segments/${mine}/id_list`)).body.data).toMatchObject({ count: 1, ids: ["c"] });
    await other("DELETE", `/console/v1/segments/${mine}`);
    expect(await readIDs(server, mine)).toEqual(["a", "b"]);
  });
});

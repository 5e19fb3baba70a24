import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archived, fileLine, makeList, readIDs, readListFile, readSegment, wrongType } from "../support/segments.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const add = (id: string, ids: string[]) => server.client.addSegmentIDs({ path: { id }, body: { ids } });
const remove = (id: string, ids: string[]) => server.client.removeSegmentIDs({ path: { id }, body: { ids } });
const reset = (id: string, ids: string[]) => server.client.resetSegmentIDList({ path: { id }, body: { ids } });
const range = (length: number) => Array.from({ length }, (_, index) => index);

describe("removeSegmentIDs", () => {
  test("200: ignores ids that are not in the list", async () => {
    const id = await makeList(server, ["a", "b", "c"]);
    expect(await remove(id, ["a", "a", "c", "nobody"])).toMatchObject({
      message: "IDs successfully removed from Segment ID List",
      changedCount: 2,
    });
    expect(await readIDs(server, id)).toEqual(["b"]);
    expect(await readSegment(server, id)).toMatchObject({ count: 1, version: 3 });
  });

  test("200: the count is exact during concurrent additions", async () => {
    const id = await makeList(
      server,
      range(100).map((index) => `user_${index}`),
    );
    const some = (from: number) => range(50).map((index) => `user_${from + index}`);
    await Promise.all([remove(id, some(0)), add(id, some(100)), remove(id, some(25)), add(id, some(125))]);
    expect((await readSegment(server, id)).count).toBe((await readIDs(server, id)).length);
    expect((await readSegment(server, id)).version).toBe(6);
  });

  test("400: a segment of another type; 409: an archived segment", async () => {
    expect(await refusal(remove(await makeList(server, [], "rule_based"), ["a"]))).toEqual(wrongType("id_list"));
    const id = await makeList(server, ["a"]);
    await server.client.archiveSegment({ path: { id } });
    expect(await refusal(remove(id, ["a"]))).toEqual(archived(id));
  });
});

describe("resetSegmentIDList", () => {
  test("200: replaces all ids by the given ones, without duplicates", async () => {
    const id = await makeList(server, ["a", "b", "c"]);
    expect(await reset(id, ["c", "d", "d"])).toMatchObject({ message: "Segment Reset reset successfully." });
    expect(await readIDs(server, id)).toEqual(["c", "d"]);
    expect(await readSegment(server, id)).toMatchObject({ count: 2, version: 3 });
    await reset(id, []);
    expect(await readIDs(server, id)).toEqual([]);
    expect((await readSegment(server, id)).count).toBe(0);
  });

  test("200: readers never see a partly replaced list", async () => {
    const lists = [range(500).map((index) => `a_${index}`), range(400).map((index) => `b_${index}`)] as const;
    const id = await makeList(server, lists[0]);
    let isWriting = true;
    const watch = async () => {
      const seen = new Set<string>();
      while (isWriting) {
        const ids = await readIDs(server, id);
        seen.add(`${ids.length} of ${[...new Set(ids.map((one) => one.charAt(0)))]}`);
      }
      return seen;
    };
    const watching = watch();
    for (const turn of range(20)) await reset(id, lists[(turn + 1) % 2] as string[]);
    isWriting = false;
    expect([...(await watching)].filter((seen) => seen !== "500 of a" && seen !== "400 of b")).toEqual([]);
  });

  test("a dry run returns the count before and after, and replaces no ids", async () => {
    const id = await makeList(server, ["a", "b"]);
    const answer = await server.client.resetSegmentIDList({ path: { id }, body: { ids: [] }, query: { dryRun: true } });
    expect(answer.changes).toEqual([{ entityType: "segment", entityID: id, fields: [{ field: "count", before: 2, after: 0 }] }]);
    expect(await readIDs(server, id)).toEqual(["a", "b"]);
  });

  test("400: a segment of another type; 409: an archived segment", async () => {
    expect(await refusal(reset(await makeList(server, [], "user_store_id_list"), []))).toEqual(wrongType("id_list"));
    const id = await makeList(server, ["a"]);
    await server.client.archiveSegment({ path: { id } });
    expect(await refusal(reset(id, []))).toEqual(archived(id));
  });
});

describe("addSegmentUserStoreIDs", () => {
  test("200: up to 1000 ids; 400: more", async () => {
    const id = await makeList(server, [], "user_store_id_list");
    const ids = range(1001).map((index) => `user_${index}`);
    const give = (some: string[]) => server.client.addSegmentUserStoreIDs({ path: { id }, body: { ids: some } });
    expect(await give(ids.slice(1))).toMatchObject({ message: "IDs successfully added to Segment ID List" });
    expect((await readSegment(server, id)).count).toBe(1000);
    expect(await refusal(give(ids))).toEqual(invalid(["ids", "must NOT have more than 1000 items"]));
  });

  test("409: the list has another version than the one given", async () => {
    const id = await makeList(server, ["a"], "user_store_id_list");
    const give = (ids: string[], version: number) => server.client.addSegmentUserStoreIDs({ path: { id }, body: { ids, version } });
    await give(["b"], 2);
    const message = `The id list of segment ${id} is at version 3, not 2. Read it again.`;
    expect(await refusal(give(["c"], 2))).toEqual(conflicting(message, "version"));
    expect(await readIDs(server, id)).toEqual(["a", "b"]);
  });

  test("400: a segment of another type", async () => {
    const id = await makeList(server);
    const call = server.client.addSegmentUserStoreIDs({ path: { id }, body: { ids: ["a"] } });
    expect(await refusal(call)).toEqual(wrongType("user_store_id_list"));
  });
});

describe("removeSegmentUserStoreIDs", () => {
  test("200: ignores ids that are not in the list", async () => {
    const id = await makeList(server, ["a", "b"], "user_store_id_list");
    const answer = await server.client.removeSegmentUserStoreIDs({ path: { id }, body: { ids: ["b", "nobody"], version: 2 } });
    expect(answer).toMatchObject({ message: "IDs successfully removed from Segment ID List", changedCount: 1 });
    expect(await readIDs(server, id)).toEqual(["a"]);
    expect((await readSegment(server, id)).count).toBe(1);
  });

  test("400: a segment of another type; 409: an archived segment, or another version of the list", async () => {
    const take = (id: string, version?: number) =>
      server.client.removeSegmentUserStoreIDs({ path: { id }, body: { ids: ["a"], ...(version !== undefined && { version }) } });
    expect(await refusal(take(await makeList(server)))).toEqual(wrongType("user_store_id_list"));
    const id = await makeList(server, ["a"], "user_store_id_list");
    expect((await refusal(take(id, 1))).message).toBe(`The id list of segment ${id} is at version 2, not 1. Read it again.`);
    await server.client.archiveSegment({ path: { id } });
    expect(await refusal(take(id))).toEqual(archived(id));
  });
});

describe("getSegmentIDListMetadata", () => {
  test("200: the version increases with each change of the ids, and with nothing else", async () => {
    const id = await makeList(server);
    const version = async () => {
      const { data, message } = await server.client.getSegmentIDListMetadata({ path: { id } });
      expect(message).toBe("ID List metadata read successfully");
      expect(data.isUpdating).toBe(false);
      return data.currentVersion;
    };
    expect(await version()).toBe(1);
    await add(id, ["a"]);
    expect(await version()).toBe(2);
    await server.client.unarchiveSegment({ path: { id } });
    expect(await version()).toBe(2);
    await remove(id, ["a"]);
    expect(await version()).toBe(4);
    await reset(id, []);
    expect(await version()).toBe(5);
  });

  test("400: a segment of another type", async () => {
    const id = await makeList(server, [], "rule_based");
    expect(await refusal(server.client.getSegmentIDListMetadata({ path: { id } }))).toEqual(wrongType("id_list", "read"));
  });
});

describe("the file of a list", () => {
  test("has a line for each added and removed id, and begins again with a reset", async () => {
    const id = await makeList(server, ["a", "b"]);
    await add(id, ["b", "🚪"]);
    await remove(id, ["a", "nobody"]);
    expect(await readListFile(server, id)).toEqual(
      [fileLine("+", "a"), fileLine("+", "b"), fileLine("+", "🚪"), fileLine("-", "a")].toSorted(),
    );
    await reset(id, ["b"]);
    expect(await readListFile(server, id)).toEqual([fileLine("+", "b")]);
  });
});

describe("deleteSegment", () => {
  test("deletes the ids, so that a segment recreated under its id is empty", async () => {
    const id = await makeList(server, ["a", "b"]);
    await server.client.deleteSegment({ path: { id } });
    expect(await server.database.prisma.segmentID.count({ where: { segmentID: id } })).toBe(0);
    await server.client.createSegment({ body: { name: id, type: "id_list" } });
    expect(await readIDs(server, id)).toEqual([]);
    expect(await readListFile(server, id)).toEqual([]);
  });
});

describe("restoreSegmentVersion", () => {
  test("200: does not change the ids and their count", async () => {
    const id = await makeList(server, ["a"]);
    await server.client.archiveSegment({ path: { id } });
    const { data } = await server.client.restoreSegmentVersion({ path: { id, version: 1 } });
    expect(data).toMatchObject({ isEnabled: true, count: 1, version: 4 });
    expect(await readIDs(server, id)).toEqual(["a"]);
  });
});

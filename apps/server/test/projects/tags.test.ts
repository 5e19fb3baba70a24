import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createTag = async (name: string) => (await server.client.createTag({ body: { name } })).data;
const notThere = { status: 404, code: "not_found", message: "Tag nope does not exist.", errors: [] };
const stamps = () => ({
  creatorID: expect.stringMatching(/^key_/),
  creatorName: "CONSOLE API",
  creatorEmail: null,
  createdTime: server.clock.now,
  lastModifierID: expect.stringMatching(/^key_/),
  lastModifierName: "CONSOLE API",
  lastModifierEmail: null,
  lastModifiedTime: server.clock.now,
});

describe("createTag", () => {
  test("200: only the name is required", async () => {
    const { data, message, etag } = await server.client.createTag({ body: { name: "checkout" } });
    expect(message).toBe("Tag created successfully");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    const id = expect.stringMatching(/^\w{22}$/);
    expect(data).toEqual({ id, name: "checkout", description: "", isCore: false, ...stamps(), version: 1 });
  });

  test("200: stores every field as given", async () => {
    const given = { name: "Growth & Web/App ★", description: "Finds users.", isCore: true };
    expect((await server.client.createTag({ body: given })).data).toMatchObject(given);
  });

  test("400: an empty name, a long description, an unknown field", async () => {
    const answer = await server.send("POST", "/console/v1/tags", { body: { name: "", description: "x".repeat(1001), colour: "red" } });
    expect(answer.body.errors.map(({ property }: { property: string }) => property).sort()).toEqual(["colour", "description", "name"]);
  });

  test("409: the name is taken", async () => {
    await createTag("Twice");
    expect(await refusal(createTag("Twice"))).toEqual(conflicting("Tag Twice already exists.", "name"));
    expect((await refusal(createTag("★ Core"))).message).toBe("Tag ★ Core already exists.");
  });
});

describe("a tag that a body names for the first time", () => {
  test("is created, with the caller as creator", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "Tagged", tags: ["fresh"] } });
    const { data: tag } = await server.client.getTag({ path: { id: "fresh" } });
    expect(tag).toEqual({ id: expect.stringMatching(/^\w{22}$/), name: "fresh", description: "", isCore: false, ...stamps(), version: 1 });
    expect(gate.tags).toEqual(["fresh"]);
  });

  test("does not change if it exists", async () => {
    const tag = await createTag("there");
    await server.client.createGate({ body: { name: "Tagged too", tags: ["there"] } });
    expect((await server.client.getTag({ path: { id: "there" } })).data).toEqual(tag);
  });

  test("is created once by concurrent requests, which all succeed", async () => {
    const names = ["Rush one", "Rush two", "Rush three", "Rush four"];
    await Promise.all(names.map((name) => server.client.createGate({ body: { name, tags: ["rush b", "rush a"] } })));
    expect(await server.database.prisma.tag.count({ where: { name: { startsWith: "rush" } } })).toBe(2);
  });

  test("is not created if the write is rejected", async () => {
    await server.client.createGate({ body: { name: "Taken" } });
    await refusal(server.client.createGate({ body: { name: "Taken", tags: ["unwritten"] } }));
    expect((await refusal(server.client.getTag({ path: { id: "unwritten" } }))).status).toBe(404);
  });
});

describe("getTag", () => {
  test("200: by id and by name", async () => {
    const tag = await createTag("a/b & c");
    const { data, message } = await server.client.getTag({ path: { id: tag.id } });
    expect(message).toBe("Tag read successfully");
    expect(data).toEqual(tag);
    expect((await server.client.getTag({ path: { id: "a/b & c" } })).data).toEqual(tag);
  });

  test("200: an id takes precedence over an equal name", async () => {
    const tag = await createTag("First");
    await createTag(tag.id);
    expect((await server.client.getTag({ path: { id: tag.id } })).data.name).toBe("First");
  });

  test("200: every project has the core tag", async () => {
    const { data } = await server.client.getTag({ path: { id: "★ Core" } });
    expect(data).toMatchObject({ name: "★ Core", isCore: true, creatorName: "GATEHOUSE", version: 1 });
  });

  test("404: the tag does not exist", async () => {
    expect(await refusal(server.client.getTag({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listTags", () => {
  test("200: newest first, in pages", async () => {
    server.clock.now += 1000;
    await createTag("Older");
    server.clock.now += 1000;
    const newer = await createTag("Newer");
    const { data, message, pagination } = await server.client.listTags({ query: { limit: 1 } });
    expect(message).toBe("Tags listed successfully");
    expect(data).toEqual([newer]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 1,
      totalItems: await server.database.prisma.tag.count(),
      nextPage: "/console/v1/tags?page=2&limit=1",
      previousPage: null,
      all: "/console/v1/tags",
    });
    expect((await server.client.listTags({ query: { limit: 1, page: 2 } })).data[0]?.name).toBe("Older");
  });
});

describe("patchTag", () => {
  test("200: changes only the given fields", async () => {
    const tag = await createTag("described");
    server.clock.now += 1000;
    const { data, message } = await server.client.patchTag({ path: { id: "described" }, body: { description: "New.", isCore: true } });
    expect(message).toBe("Tag updated successfully");
    expect(data).toEqual({ ...tag, description: "New.", isCore: true, lastModifiedTime: server.clock.now, version: 2 });
  });

  test("200: accepts the edited body of a GET", async () => {
    const tag = await createTag("round trip");
    const { data } = await server.client.patchTag({ path: { id: tag.id }, body: { ...tag, description: "Edited." } as object });
    expect(data).toMatchObject({ id: tag.id, name: "round trip", description: "Edited.", version: 2 });
  });

  test("409: ★ Core keeps its name", async () => {
    const message = "Every project has the core tag ★ Core: only its description can change.";
    expect(await refusal(server.client.patchTag({ path: { id: "★ Core" }, body: { name: "Core" } }))).toMatchObject({
      status: 409,
      message,
    });
  });

  test("404: the tag does not exist", async () => {
    expect(await refusal(server.client.patchTag({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("deleteTag", () => {
  test("200: deletes by name, and frees the name", async () => {
    const { id } = await createTag("Short lived");
    expect(await server.client.deleteTag({ path: { id: "Short lived" } })).toMatchObject({ message: "Tag deleted successfully" });
    expect((await refusal(server.client.getTag({ path: { id } }))).status).toBe(404);
    expect((await createTag("Short lived")).id).not.toBe(id);
  });

  test("409: entities have the tag; the message names them", async () => {
    await server.client.createGate({ body: { name: "Carrier", tags: ["carried"] } });
    await server.client.createDynamicConfig({ body: { name: "Carrier config", tags: ["carried"] } });
    const refused = await refusal(server.client.deleteTag({ path: { id: "carried" } }));
    expect(refused).toMatchObject({ status: 409, code: "conflict" });
    expect(refused.message).toContain("gate carrier");
    expect(refused.message).toContain("dynamic config carrier_config");
  });

  test("200: with forceArchive deletes a tag in use; entities keep its name", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "Keeper", tags: ["forced"] } });
    await server.client.deleteTag({ path: { id: "forced" }, query: { forceArchive: true } });
    expect((await refusal(server.client.getTag({ path: { id: "forced" } }))).status).toBe(404);
    expect((await server.client.getGate({ path: { id: gate.id } })).data).toEqual(gate);
  });

  test("409: ★ Core cannot be deleted, even with forceArchive", async () => {
    const refused = refusal(server.client.deleteTag({ path: { id: "★ Core" }, query: { forceArchive: true } }));
    expect(await refused).toMatchObject({ status: 409, message: "Every project has the core tag ★ Core: it cannot be deleted." });
  });

  test("404: the tag does not exist", async () => {
    expect(await refusal(server.client.deleteTag({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

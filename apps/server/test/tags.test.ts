import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "./support/server.ts";

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
  test("200: a name is enough", async () => {
    const { data, message, etag } = await server.client.createTag({ body: { name: "checkout" } });
    expect(message).toBe("Tag created successfully");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    const id = expect.stringMatching(/^\w{22}$/);
    expect(data).toEqual({ id, name: "checkout", description: "", isCore: false, ...stamps(), version: 1 });
  });

  test("200: all that may be given is kept", async () => {
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
  test("is made, in the name of who named it", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "Tagged", tags: ["fresh"] } });
    const { data: tag } = await server.client.getTag({ path: { id: "fresh" } });
    expect(tag).toEqual({ id: expect.stringMatching(/^\w{22}$/), name: "fresh", description: "", isCore: false, ...stamps(), version: 1 });
    expect(gate.tags).toEqual(["fresh"]);
  });

  test("is left as it is when it is there", async () => {
    const tag = await createTag("there");
    await server.client.createGate({ body: { name: "Tagged too", tags: ["there"] } });
    expect((await server.client.getTag({ path: { id: "there" } })).data).toEqual(tag);
  });

  test("is made once when several requests name it at once, and all succeed", async () => {
    const names = ["Rush one", "Rush two", "Rush three", "Rush four"];
    await Promise.all(names.map((name) => server.client.createGate({ body: { name, tags: ["rush b", "rush a"] } })));
    expect(await server.database.prisma.tag.count({ where: { name: { startsWith: "rush" } } })).toBe(2);
  });

  test("is not made when the write is refused", async () => {
    await server.client.createGate({ body: { name: "Taken" } });
    await refusal(server.client.createGate({ body: { name: "Taken", tags: ["unwritten"] } }));
    expect((await refusal(server.client.getTag({ path: { id: "unwritten" } }))).status).toBe(404);
  });
});

describe("getTag", () => {
  test("200: by its id and by its name", async () => {
    const tag = await createTag("a/b & c");
    const { data, message } = await server.client.getTag({ path: { id: tag.id } });
    expect(message).toBe("Tag read successfully");
    expect(data).toEqual(tag);
    expect((await server.client.getTag({ path: { id: "a/b & c" } })).data).toEqual(tag);
  });

  test("200: an id goes before a name that is the same", async () => {
    const tag = await createTag("First");
    await createTag(tag.id);
    expect((await server.client.getTag({ path: { id: tag.id } })).data.name).toBe("First");
  });

  test("200: every project has the core tag", async () => {
    const { data } = await server.client.getTag({ path: { id: "★ Core" } });
    expect(data).toMatchObject({ name: "★ Core", isCore: true, creatorName: "GATEHOUSE", version: 1 });
  });

  test("404: no such tag", async () => {
    expect(await refusal(server.client.getTag({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listTags", () => {
  test("200: newest first, page by page", async () => {
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
  test("200: changes what is given; the rest stays", async () => {
    const tag = await createTag("described");
    server.clock.now += 1000;
    const { data, message } = await server.client.patchTag({ path: { id: "described" }, body: { description: "New.", isCore: true } });
    expect(message).toBe("Tag updated successfully");
    expect(data).toEqual({ ...tag, description: "New.", isCore: true, lastModifiedTime: server.clock.now, version: 2 });
  });

  test("200: takes back what was read, edited", async () => {
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

  test("404: no such tag", async () => {
    expect(await refusal(server.client.patchTag({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("deleteTag", () => {
  test("200: by its name; the name may be used again", async () => {
    const { id } = await createTag("Short lived");
    expect(await server.client.deleteTag({ path: { id: "Short lived" } })).toMatchObject({ message: "Tag deleted successfully" });
    expect((await refusal(server.client.getTag({ path: { id } }))).status).toBe(404);
    expect((await createTag("Short lived")).id).not.toBe(id);
  });

  test("409: something carries it; the carriers are named", async () => {
    await server.client.createGate({ body: { name: "Carrier", tags: ["carried"] } });
    await server.client.createDynamicConfig({ body: { name: "Carrier config", tags: ["carried"] } });
    const refused = await refusal(server.client.deleteTag({ path: { id: "carried" } }));
    expect(refused).toMatchObject({ status: 409, code: "conflict" });
    expect(refused.message).toContain("gate carrier");
    expect(refused.message).toContain("dynamic config carrier_config");
  });

  test("200: with forceArchive also what is carried, and the carriers keep its name", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "Keeper", tags: ["forced"] } });
    await server.client.deleteTag({ path: { id: "forced" }, query: { forceArchive: true } });
    expect((await refusal(server.client.getTag({ path: { id: "forced" } }))).status).toBe(404);
    expect((await server.client.getGate({ path: { id: gate.id } })).data).toEqual(gate);
  });

  test("409: ★ Core stays, with forceArchive too", async () => {
    const refused = refusal(server.client.deleteTag({ path: { id: "★ Core" }, query: { forceArchive: true } }));
    expect(await refused).toMatchObject({ status: 409, message: "Every project has the core tag ★ Core: it cannot be deleted." });
  });

  test("404: no such tag", async () => {
    expect(await refusal(server.client.deleteTag({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

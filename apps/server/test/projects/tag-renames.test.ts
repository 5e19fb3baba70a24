import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const gate = async (id: string) => (await server.client.getGate({ path: { id } })).data;
const changes = (operationID: string) =>
  server.database.prisma.change.findMany({
    where: { operationID },
    orderBy: { id: "asc" },
    select: { entityType: true, entityID: true, version: true },
  });

describe("patchTag with a new name", () => {
  test("200: every entity with the tag gets the new name in the same place, each in a new version", async () => {
    const { client } = server;
    await client.createGate({ body: { name: "Gate b", tags: ["old", "other"] } });
    await client.createGate({ body: { name: "Gate a", tags: ["other", "old"] } });
    await client.createGate({ body: { name: "Gate c", tags: ["other"] } });
    await client.createDynamicConfig({ body: { name: "A config", tags: ["old"] } });
    await client.createExperiment({ body: { name: "An experiment", tags: ["old"] } });
    await client.createSegment({ body: { name: "A segment", type: "id_list", tags: ["old"] } });
    await client.createParamStore({ body: { name: "a_store", tags: ["old"] } });
    const source = { sql: "select 1", timestampColumn: "time", idTypeMapping: [] };
    await client.createMetricSource({ body: { name: "a_source", tags: ["old"], ...source } });
    server.clock.now += 1000;

    const { data: tag } = await client.patchTag({ path: { id: "old" }, body: { name: "new" } });

    expect(tag).toMatchObject({ name: "new", version: 2 });
    expect(await gate("gate_a")).toMatchObject({ tags: ["other", "new"], lastModifiedTime: server.clock.now, version: 2 });
    expect(await gate("gate_b")).toMatchObject({ tags: ["new", "other"], version: 2 });
    expect(await gate("gate_c")).toMatchObject({ tags: ["other"], version: 1 });
    expect((await client.getDynamicConfig({ path: { id: "a_config" } })).data).toMatchObject({ tags: ["new"], version: 2 });
    expect((await client.getExperiment({ path: { id: "an_experiment" } })).data).toMatchObject({ tags: ["new"], version: 2 });
    expect((await client.getSegment({ path: { id: "a_segment" } })).data).toMatchObject({ tags: ["new"], version: 2 });
    expect((await client.getParamStore({ path: { name: "a_store" } })).data).toMatchObject({ tags: ["new"], version: 2 });
    expect((await client.getMetricSource({ path: { name: "a_source" } })).data).toMatchObject({ tags: ["new"], version: 2 });
    expect((await changes("patchTag")).map(({ entityType, entityID }) => `${entityType} ${entityID}`)).toEqual([
      `tag ${tag.id}`,
      "dynamic_config a_config",
      "experiment an_experiment",
      "gate gate_a",
      "gate gate_b",
      "metric_source a_source",
      "param_store a_store",
      "segment a_segment",
    ]);
    expect((await client.listGates({ query: { tags: ["new"] } })).data.map(({ id }) => id).sort()).toEqual(["gate_a", "gate_b"]);
    expect((await refusal(client.getTag({ path: { id: "old" } }))).status).toBe(404);
    expect((await refusal(client.deleteTag({ path: { id: "new" } }))).status).toBe(409);
  });

  test("200: an archived gate gets the new name too", async () => {
    await server.client.createGate({ body: { name: "Stored away", tags: ["dusty"] } });
    await server.client.archiveGate({ path: { id: "stored_away" } });
    await server.client.patchTag({ path: { id: "dusty" }, body: { name: "clean" } });
    expect(await gate("stored_away")).toMatchObject({ tags: ["clean"], status: "Archived", version: 3 });
  });

  test("200: no gate that is created during the rename keeps the old name", async () => {
    const { client } = server;
    await client.createTag({ body: { name: "moving" } });
    const names = Array.from({ length: 12 }, (_, index) => `Mover ${index}`);
    const create = (name: string) => client.createGate({ body: { name, tags: ["moving"] } });
    const rename = client.patchTag({ path: { id: "moving" }, body: { name: "moved" } });
    const created = await Promise.all([...names.map(create), rename]);
    const tags = await Promise.all(names.map(async (_, index) => (await gate(created[index]?.data.id ?? "")).tags[0] ?? ""));
    for (const name of new Set(tags)) expect((await client.getTag({ path: { id: name } })).data.name).toBe(name);
    expect(tags.every((name) => name === "moved" || name === "moving")).toBe(true);
  });

  test("409: another tag has the name; the tag keeps its old name", async () => {
    await server.client.createGate({ body: { name: "Both", tags: ["left", "right"] } });
    const refused = refusal(server.client.patchTag({ path: { id: "left" }, body: { name: "right" } }));
    expect(await refused).toMatchObject({ status: 409, message: "Tag right already exists." });
    expect(await gate("both")).toMatchObject({ tags: ["left", "right"], version: 1 });
  });

  test("200: a dry run shows the change of every entity, and renames nothing", async () => {
    await server.client.createGate({ body: { name: "Shown", tags: ["seen"] } });
    const { changes } = await server.client.patchTag({ path: { id: "seen" }, body: { name: "unseen" }, query: { dryRun: true } });
    expect(changes).toEqual([
      { entityType: "tag", entityID: expect.any(String), fields: [{ field: "name", before: "seen", after: "unseen" }] },
      { entityType: "gate", entityID: "shown", fields: [{ field: "tags[0]", before: "seen", after: "unseen" }] },
    ]);
    expect(await gate("shown")).toMatchObject({ tags: ["seen"], version: 1 });
  });
});

describe("restoreTagVersion", () => {
  test("200: a version with another name renames like a patch", async () => {
    const { client } = server;
    const { data: first } = await client.createTag({ body: { name: "origin", description: "First." } });
    await client.createGate({ body: { name: "Faithful", tags: ["origin"] } });
    const path = { id: first.id };
    await client.patchTag({ path, body: { name: "detour", description: "Second." } });
    const { data } = await client.restoreTagVersion({ path: { ...path, version: 1 } });
    expect(data).toEqual({ ...first, version: 3 });
    expect(await gate("faithful")).toMatchObject({ tags: ["origin"], version: 3 });
    const { data: versions } = await client.listTagVersions({ path });
    expect(versions.map(({ name, version }) => [name, version])).toEqual([
      ["origin", 3],
      ["detour", 2],
      ["origin", 1],
    ]);
  });
});

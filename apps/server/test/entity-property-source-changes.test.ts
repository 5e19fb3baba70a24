import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const customers = {
  sql: "select * from customers",
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }],
};

const create = (name: string, rest: object = {}) => server.client.createEntityPropertySource({ body: { name, ...customers, ...rest } });

describe("patchEntityPropertySource", () => {
  test("200: changes the given fields alone", async () => {
    const { data: source } = await create("patched", { timestampColumn: "since", timestampAsDay: true });
    const path = { name: "patched" };
    const { data, message } = await server.client.patchEntityPropertySource({ path, body: { timestampColumn: "" } });
    expect(message).toBe("Entity property source updated successfully.");
    expect(data).toEqual({ ...source, timestampColumn: "", version: 2, lastModifiedTime: server.clock.now });
    const idTypeMapping = [{ statsigUnitID: "stableID", column: "device" }];
    const { data: mapped } = await server.client.patchEntityPropertySource({ path, body: { idTypeMapping } });
    expect(mapped.idTypeMapping).toEqual([{ serviceUnitID: "stableID", statsigUnitID: "stableID", column: "device" }]);
  });

  test("400: another name and a blank query", async () => {
    await create("not patched");
    const patch = server.client.patchEntityPropertySource({ path: { name: "not patched" }, body: { name: "other", sql: " " } });
    expect((await refusal(patch)).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "sql", errorMessage: "must not be empty" },
    ]);
  });

  test("404: the source does not exist", async () => {
    expect((await refusal(server.client.patchEntityPropertySource({ path: { name: "nope" }, body: {} }))).status).toBe(404);
  });
});

describe("listEntityPropertySourceVersions and restoreEntityPropertySourceVersion", () => {
  test("200: list every version, and bring back an earlier one, also of a deleted source", async () => {
    const path = { name: "of versions" };
    await create(path.name);
    await server.client.patchEntityPropertySource({ path, body: { sql: "select 2" } });
    const versionsOf = async () =>
      (await server.client.listEntityPropertySourceVersions({ path })).data.map(({ version, sql }) => [version, sql]);
    expect(await versionsOf()).toEqual([
      [2, "select 2"],
      [1, customers.sql],
    ]);
    const { data } = await server.client.restoreEntityPropertySourceVersion({ path: { ...path, version: 1 } });
    expect(data).toMatchObject({ version: 3, sql: customers.sql });
    await server.client.deleteEntityPropertySource({ path });
    const { data: again } = await server.client.restoreEntityPropertySourceVersion({ path: { ...path, version: 2 } });
    expect(again).toMatchObject({ version: 5, sql: "select 2" });
  });
});

describe("an experiment with stratified sampling", () => {
  test("names a source that exists, which cannot be deleted meanwhile", async () => {
    const stratifiedSampling = { status: "pending" as const, entityPropertySource: { propertySourceName: "strata", column: "plan" } };
    const experiment = () => server.client.createExperiment({ body: { name: "stratified", stratifiedSampling } });
    expect((await refusal(experiment())).errors).toEqual([
      {
        property: "stratifiedSampling.entityPropertySource.propertySourceName",
        errorMessage: "references entity property source strata, which does not exist",
      },
    ]);
    await create("strata");
    await experiment();
    const path = { name: "strata" };
    expect((await refusal(server.client.deleteEntityPropertySource({ path }))).message).toBe(
      "Entity property source strata cannot be deleted: it is referenced by experiment stratified. Use forceArchive to do it anyway.",
    );
    await server.client.deleteEntityPropertySource({ path, query: { forceArchive: true } });
    const { data } = await server.client.patchExperiment({ path: { id: "stratified" }, body: { description: "Still there." } });
    expect(data).toMatchObject({ stratifiedSampling, description: "Still there." });
  });

  test.each(["entity_property", "entity_properties"])("cannot have the id %s, whose path is of sources", async (id) => {
    const errorMessage = `cannot make the id ${id}, because that path is of entity property sources`;
    expect((await refusal(server.client.createExperiment({ body: { name: id } }))).errors).toEqual([{ property: "id", errorMessage }]);
  });
});

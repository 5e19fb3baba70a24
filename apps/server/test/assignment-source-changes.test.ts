import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const assignments = {
  sql: "select * from assignments",
  timestampColumn: "shown_at",
  experimentIDColumn: "experiment",
  groupIDColumn: "variant",
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }],
};

const create = (name: string, rest: object = {}) => server.client.createAssignmentSource({ body: { name, ...assignments, ...rest } });

describe("patchAssignmentSource", () => {
  test("200: changes the given fields alone", async () => {
    const { data: source } = await create("patched", { groupNameColumn: "name" });
    const path = { name: "patched" };
    const { data, message } = await server.client.patchAssignmentSource({ path, body: { groupIDColumn: "arm" } });
    expect(message).toBe("Assignment source updated successfully.");
    expect(data).toEqual({ ...source, groupIDColumn: "arm", version: 2, lastModifiedTime: server.clock.now });
    const idTypeMapping = [{ statsigUnitID: "stableID", column: "device" }];
    const { data: mapped } = await server.client.patchAssignmentSource({ path, body: { idTypeMapping } });
    expect(mapped.idTypeMapping).toEqual([{ serviceUnitID: "stableID", statsigUnitID: "stableID", column: "device" }]);
  });

  test("400: another name and a blank query", async () => {
    await create("not patched");
    const patch = server.client.patchAssignmentSource({ path: { name: "not patched" }, body: { name: "other", sql: " " } });
    expect((await refusal(patch)).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "sql", errorMessage: "must not be empty" },
    ]);
  });

  test("404: the source does not exist", async () => {
    expect((await refusal(server.client.patchAssignmentSource({ path: { name: "nope" }, body: {} }))).status).toBe(404);
  });
});

describe("listAssignmentSourceVersions and restoreAssignmentSourceVersion", () => {
  test("200: list every version, and bring back an earlier one, also of a deleted source", async () => {
    const path = { name: "of versions" };
    await create(path.name);
    await server.client.patchAssignmentSource({ path, body: { sql: "select 2" } });
    const versionsOf = async () =>
      (await server.client.listAssignmentSourceVersions({ path })).data.map(({ version, sql }) => [version, sql]);
    expect(await versionsOf()).toEqual([
      [2, "select 2"],
      [1, assignments.sql],
    ]);
    const { data } = await server.client.restoreAssignmentSourceVersion({ path: { ...path, version: 1 } });
    expect(data).toMatchObject({ version: 3, sql: assignments.sql });
    await server.client.deleteAssignmentSource({ path });
    const { data: again } = await server.client.restoreAssignmentSourceVersion({ path: { ...path, version: 2 } });
    expect(again).toMatchObject({ version: 5, sql: "select 2" });
  });
});

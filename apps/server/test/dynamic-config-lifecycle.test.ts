import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archived, expectStaleRefused, make, makeArchived, missing, PATH, rule } from "./support/dynamic-configs.ts";
import { refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe.each([
  { operation: "enableDynamicConfig", action: "enable", isEnabled: true, status: "Enabled" },
  { operation: "disableDynamicConfig", action: "disable", isEnabled: false, status: "Disabled" },
] as const)("$operation", ({ operation, action, isEnabled, status }) => {
  test(`200: the status becomes ${status}`, async () => {
    const config = await make(server, `to ${action}`, { isEnabled: !isEnabled });
    const { data, message } = await server.client[operation]({ path: { id: config.id } });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({ ...config, isEnabled, status, version: 2 });
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client[operation]({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("409: it is archived", async () => {
    const { id } = await makeArchived(server, `${action} archived`);
    expect(await refusal(server.client[operation]({ path: { id } }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, `${action} stale`);
    await expectStaleRefused(server, "PUT", id, `/${action}`);
  });
});

describe("archiveDynamicConfig", () => {
  test("200: the status becomes Archived, the rest is kept, and the reason is logged", async () => {
    const config = await make(server, "to archive", { rules: [rule("r")] });
    const { data, message } = await server.client.archiveDynamicConfig({ path: { id: config.id }, body: { archiveReason: "unused" } });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({ ...config, status: "Archived", version: 2 });
    const changes = await server.database.prisma.change.findMany({
      where: { entityType: "dynamic_config", entityID: config.id },
      orderBy: { version: "asc" },
      select: { operationID: true, version: true, reason: true },
    });
    expect(changes).toEqual([
      { operationID: "createDynamicConfig", version: 1, reason: null },
      { operationID: "archiveDynamicConfig", version: 2, reason: "unused" },
    ]);
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.archiveDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "archive stale");
    await expectStaleRefused(server, "PUT", id, "/archive");
  });
});

describe("unarchiveDynamicConfig", () => {
  test.each([
    { isEnabled: true, status: "Enabled" },
    { isEnabled: false, status: "Disabled" },
  ])("200: it becomes $status if isEnabled was $isEnabled", async ({ isEnabled, status }) => {
    const config = await makeArchived(server, `to unarchive ${status}`, { isEnabled });
    const { data, message } = await server.client.unarchiveDynamicConfig({ path: { id: config.id }, body: { unarchiveReason: "again" } });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({ ...config, isEnabled, status, version: 3 });
  });
  test("200: one that is not archived keeps its status", async () => {
    const { id } = await make(server, "not archived", { isEnabled: false });
    const { data } = await server.client.unarchiveDynamicConfig({ path: { id } });
    expect(data).toMatchObject({ status: "Disabled", version: 2 });
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.unarchiveDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "unarchive stale");
    await expectStaleRefused(server, "PUT", id, "/unarchive");
  });
});

describe("deleteDynamicConfig", () => {
  test("200: it is gone", async () => {
    const { id } = await make(server, "deleted");
    const answer = await server.send("DELETE", `${PATH}/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { message: "Dynamic Config deleted successfully." } });
    expect((await server.send("GET", `${PATH}/${id}`)).status).toBe(404);
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.deleteDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "delete stale");
    await expectStaleRefused(server, "DELETE", id);
  });
});

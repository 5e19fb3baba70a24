import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archived, expectStaleRefused, make, makeArchived, missing, PATH, rule } from "../support/dynamic-configs.ts";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

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
  test("404: the dynamic config does not exist", async () => {
    expect(await refusal(server.client[operation]({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("409: the dynamic config is archived", async () => {
    const { id } = await makeArchived(server, `${action} archived`);
    expect(await refusal(server.client[operation]({ path: { id } }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, `${action} stale`);
    await expectStaleRefused(server, "PUT", id, `/${action}`);
  });
});

describe("archiveDynamicConfig", () => {
  test("200: sets the status Archived, keeps the rest, and logs the reason", async () => {
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
  test("409: other entities reference it; with forceArchive it succeeds and the change log names them", async () => {
    const { id } = await make(server, "archive targeted");
    await makeTargeting("archive store", id);
    const archive = (body: object) => server.client.archiveDynamicConfig({ path: { id }, body });
    expect(await refusal(archive({}))).toEqual(targeted(id, "archived", "archive store"));
    const { data } = await archive({ archiveReason: "unused", forceArchive: true });
    expect(data.status).toBe("Archived");
    expect(await lastReason(id)).toBe("unused Forced while referenced by param store archive store.");
  });
  test("404: the dynamic config does not exist", async () => {
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
  test("200: a dynamic config that is not archived keeps its status", async () => {
    const { id } = await make(server, "not archived", { isEnabled: false });
    const { data } = await server.client.unarchiveDynamicConfig({ path: { id } });
    expect(data).toMatchObject({ status: "Disabled", version: 2 });
  });
  test("404: the dynamic config does not exist", async () => {
    expect(await refusal(server.client.unarchiveDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "unarchive stale");
    await expectStaleRefused(server, "PUT", id, "/unarchive");
  });
});

describe("deleteDynamicConfig", () => {
  test("200: deletes the dynamic config", async () => {
    const { id } = await make(server, "deleted");
    const answer = await server.send("DELETE", `${PATH}/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { message: "Dynamic Config deleted successfully." } });
    expect((await server.send("GET", `${PATH}/${id}`)).status).toBe(404);
  });
  test("409: other entities reference it; with forceArchive it succeeds and the change log names them", async () => {
    const { id } = await make(server, "delete targeted");
    await makeTargeting("delete store", id);
    expect(await refusal(server.client.deleteDynamicConfig({ path: { id } }))).toEqual(targeted(id, "deleted", "delete store"));
    await server.client.deleteDynamicConfig({ path: { id }, query: { forceArchive: true } });
    expect(await lastReason(id)).toBe("Forced while referenced by param store delete store.");
  });
  test("404: the dynamic config does not exist", async () => {
    expect(await refusal(server.client.deleteDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "delete stale");
    await expectStaleRefused(server, "DELETE", id);
  });
});

const targeted = (id: string, fate: string, store: string) =>
  conflicting(`Dynamic config ${id} cannot be ${fate}: it is referenced by param store ${store}. Use forceArchive to do it anyway.`);

async function makeTargeting(name: string, config: string) {
  const parameters = [
    { name: "p", ref_type: "dynamic_config" as const, param_type: "string" as const, config_name: config, param_name: "p" },
  ];
  await server.client.createParamStore({ body: { name, parameters } });
}

async function lastReason(id: string) {
  const where = { entityType: "dynamic_config", entityID: id };
  return (await server.database.prisma.change.findFirst({ where, orderBy: { version: "desc" } }))?.reason;
}

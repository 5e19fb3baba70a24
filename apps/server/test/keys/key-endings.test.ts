import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const name of ["iOS", "Watch"]) await server.client.createTargetApp({ body: { name } });
});
afterAll(() => server.close());

const MANAGING = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];
const notThere = { status: 404, code: "not_found", message: "Key nope does not exist.", errors: [] };
const get = async (id: string) => (await server.client.getKey({ path: { id } })).data;
const countReferences = (id: string) => server.database.prisma.reference.count({ where: { fromType: "key", fromID: id } });

describe("deleteKey", () => {
  test("200: deletes the key, which is rejected after that", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", environments: ["staging"] });
    expect(await server.client.deleteKey({ path: { id: key } })).toMatchObject({ message: "Key deleted successfully." });
    expect((await refusal(get(id))).status).toBe(404);
    expect((await server.send("GET", "/console/v1/gates", { key })).status).toBe(401);
    expect(await countReferences(id)).toBe(0);
  });

  test("404: the key does not exist", async () => {
    expect(await refusal(server.client.deleteKey({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("deactivateKey", () => {
  test("200: the key is rejected, and its record can still be read", async () => {
    const { key, ...made } = await makeKey(server, { type: "CONSOLE" });
    server.clock.now += 1000;
    const { data, message } = await server.client.deactivateKey({ path: { id: made.id } });
    expect(message).toBe("Key deactivated successfully.");
    expect(data).toEqual({ ...made, key: null, status: "deactivated", lastModifiedTime: server.clock.now, version: 2 });
    expect(await get(made.id)).toEqual(data);
    expect((await server.send("GET", "/console/v1/gates", { key })).status).toBe(401);
  });

  test("200: a key without permissions deactivates itself, by its ID or its secret, and no other key", async () => {
    const limits = { environments: ["staging"], targetAppID: "iOS" };
    for (const name of ["id", "key"] as const) {
      const own = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"], ...limits });
      const other = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
      const end = (id: string) => server.send("PATCH", `/console/v1/keys/${id}/deactivate`, { key: own.key });
      expect((await end(other[name])).status).toBe(403);
      expect((await server.send("DELETE", `/console/v1/keys/${own[name]}`, { key: own.key })).status).toBe(403);
      expect((await end(own[name])).status).toBe(200);
      expect([(await get(own.id)).status, (await get(other.id)).status]).toEqual(["deactivated", "active"]);
      server.clock.now += 500;
      expect((await end(own[name])).status).toBe(401);
    }
  });

  test("200: a later change does not reactivate the key", async () => {
    const { id } = await makeKey(server);
    await server.client.deactivateKey({ path: { id } });
    const { data } = await server.client.patchKey({ path: { id }, body: { description: "kept for the record" } });
    expect(data).toMatchObject({ status: "deactivated", version: 3 });
  });

  test("404: the key does not exist", async () => {
    expect(await refusal(server.client.deactivateKey({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("rotateKey", () => {
  test("200: returns a new secret under the same id, with the same limits; the old one is unknown", async () => {
    const { key: old, ...made } = await makeKey(server, { type: "CONSOLE", environments: ["production"] });
    server.clock.now += 1000;
    const { data, message } = await server.client.rotateKey({ path: { id: made.id } });
    expect(message).toBe("Key rotated successfully.");
    const key = data.key ?? "";
    expect(data).toEqual({ ...made, key, hint: `console-…${key.slice(-4)}`, lastModifiedTime: server.clock.now, version: 2 });
    expect(key).toMatch(/^console-\w{44}$/);
    const status = async (one: string) => (await server.send("GET", "/console/v1/gates", { key: one })).status;
    expect([await status(key), await status(old)]).toEqual([200, 401]);
    expect((await refusal(get(old))).status).toBe(404);
  });

  test("409: the key is deactivated", async () => {
    const { id } = await makeKey(server);
    await server.client.deactivateKey({ path: { id } });
    expect(await refusal(server.client.rotateKey({ path: { id } }))).toEqual(
      conflicting(`Key ${id} is permanently deactivated. Create another key.`, "status"),
    );
  });

  test("409 or 200: of several concurrent rotations, exactly the last returned secret is valid", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE" });
    const answers = await Promise.all([1, 2, 3].map(() => server.send("PATCH", `/console/v1/keys/${id}/rotate`)));
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    const kept = answers.filter(({ status }) => status === 200).map(({ body }) => body.data);
    const last = kept.toSorted((a, b) => a.version - b.version).at(-1);
    const opening = [];
    for (const one of [key, ...kept.map((data) => data.key)]) {
      if ((await server.send("GET", "/console/v1/gates", { key: one })).status === 200) opening.push(one);
    }
    expect(opening).toEqual([last.key]);
    expect((await get(id)).version).toBe(1 + kept.length);
  });

  test("404: the key does not exist", async () => {
    expect(await refusal(server.client.rotateKey({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("an entity that a key is limited to", () => {
  const plain = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };

  test("409: an environment cannot be removed, renamed or lost by a restore while an active key references it", async () => {
    const { data: before } = await server.client.getEnvironments({});
    const extra = { name: "canary", ...plain };
    const { data: set } = await server.client.updateEnvironments({ body: { environments: [...before.environments, extra] } });
    const { id } = await makeKey(server, { environments: ["canary"] });
    const message = `Environment canary cannot be removed or renamed: it is referenced by key ${id}.`;
    const renamed = set.environments.map((one) => (one.name === "canary" ? { ...one, name: "bird" } : one));
    for (const environments of [before.environments, renamed]) {
      expect(await refusal(server.client.updateEnvironments({ body: { environments } }))).toMatchObject({ status: 409, message });
    }
    const restoring = server.client.restoreEnvironmentSetVersion({ path: { version: before.version } });
    expect(await refusal(restoring)).toMatchObject({ status: 409, message });
    await server.client.deactivateKey({ path: { id } });
    expect((await server.client.updateEnvironments({ body: { environments: before.environments } })).data.environments).toEqual(
      before.environments,
    );
  });

  test("409: a target app that a key references is deleted only by force, and the key stays limited", async () => {
    await server.client.createTargetApp({ body: { name: "Held" } });
    const { id } = await makeKey(server, { secondaryTargetAppIDs: ["Held"] });
    const refused = await refusal(server.client.deleteTargetApp({ path: { id: "Held" } }));
    expect(refused).toMatchObject({ status: 409, code: "conflict" });
    expect(refused.message).toContain(`it is referenced by key ${id}.`);
    await server.client.deleteTargetApp({ path: { id: "Held" }, query: { forceArchive: true } });
    expect((await get(id)).secondaryTargetApps).toEqual(["Held"]);
  });

  test("a target app's new name is applied to keys that reference it", async () => {
    await server.client.createTargetApp({ body: { name: "Old name" } });
    const { id } = await makeKey(server, { targetAppID: "Old name", secondaryTargetAppIDs: ["iOS"] });
    await server.client.patchTargetApp({ path: { id: "Old name" }, body: { name: "New name" } });
    expect(await get(id)).toMatchObject({ primaryTargetApp: "New name", secondaryTargetApps: ["iOS"], version: 2 });
    expect((await server.client.listKeys({ query: { primaryTargetApp: "New name" } })).data.map((key) => key.id)).toEqual([id]);
  });
});

describe("the last key that manages keys", () => {
  const firstKeyID = async ({ client }: TestServer) => {
    const { data } = await client.listKeys({});
    return data.find(({ description }) => description === "first key")?.id ?? "";
  };

  test("409: cannot be deactivated, deleted or given fewer scopes, but can be rotated", async () => {
    const alone = await startServer();
    const id = await firstKeyID(alone);
    await makeKey(alone, { type: "CONSOLE", scopes: ["omni_read_write"] });
    await makeKey(alone, { type: "CONSOLE", scopes: ["omni_read_only", "can_access_keys"] });
    const expected = {
      status: 409,
      code: "conflict",
      message: `Key ${id} is the last active key with the scopes omni_read_write and can_access_keys, no role but Admin, no limits, and no expiry. Without it, keys could no longer be managed.`,
    };
    const { client } = alone;
    expect(await refusal(client.deactivateKey({ path: { id } }))).toMatchObject(expected);
    expect(await refusal(client.deleteKey({ path: { id } }))).toMatchObject(expected);
    for (const scopes of [["omni_read_only" as const, "can_access_keys" as const], ["omni_read_write" as const]]) {
      expect(await refusal(client.patchKey({ path: { id }, body: { scopes } }))).toMatchObject(expected);
    }
    expect((await client.patchKey({ path: { id }, body: { description: "still there" } })).data.version).toBe(2);
    const { data } = await client.rotateKey({ path: { id } });
    expect((await alone.send("GET", "/console/v1/keys", { key: data.key })).status).toBe(200);
    await alone.close();
  });

  test("409: the last two cannot both be deleted concurrently", async () => {
    const alone = await startServer();
    const { id: other } = await makeKey(alone, { type: "CONSOLE", scopes: MANAGING });
    const { id: third } = await makeKey(alone, { type: "CONSOLE", scopes: MANAGING });
    const first = await firstKeyID(alone);
    const answers = await Promise.all([
      alone.send("DELETE", `/console/v1/keys/${third}`),
      alone.send("PATCH", `/console/v1/keys/${other}/deactivate`),
      alone.send("PATCH", `/console/v1/keys/${first}`, { body: { scopes: ["omni_read_only"] } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    await alone.close();
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const name of ["iOS", "Watch"]) await server.client.createTargetApp({ body: { name } });
});
afterAll(() => server.close());

const MANAGING = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];
const notThere = { status: 404, code: "not_found", message: "Key nope does not exist.", errors: [] };
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
const get = async (id: string) => (await server.client.getKey({ path: { id } })).data;
const countReferences = (id: string) => server.database.prisma.reference.count({ where: { fromType: "key", fromID: id } });

describe("createKey", () => {
  test("200: only type and description are required, and the response shows the secret", async () => {
    const { data, message, etag } = await server.client.createKey({ body: { type: "SERVER", description: "Backend." } });
    expect(message).toBe("Key created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: expect.stringMatching(/^key_\w{22}$/),
      key: expect.stringMatching(/^secret-\w{44}$/),
      hint: `secret-…${data.key?.slice(-4)}`,
      type: "SERVER",
      description: "Backend.",
      scopes: [],
      environments: [],
      primaryTargetApp: null,
      secondaryTargetApps: [],
      allowedAddresses: [],
      role: null,
      status: "active",
      expiresTime: null,
      lastUsed: null,
      isOrphaned: false,
      ...stamps(),
      version: 1,
    });
  });

  test("200: each type has its prefix; a console key is read-only by default", async () => {
    const client = await makeKey(server, { type: "CLIENT" });
    const console = await makeKey(server, { type: "CONSOLE" });
    const writer = await makeKey(server, { type: "CONSOLE", scopes: MANAGING });
    expect([client.key, console.key]).toEqual([expect.stringMatching(/^client-\w{44}$/), expect.stringMatching(/^console-\w{44}$/)]);
    expect([client.scopes, console.scopes, writer.scopes]).toEqual([[], ["omni_read_only"], MANAGING]);
  });

  test("200: accepts target apps by id or name, and returns them by name without duplicates", async () => {
    const { data: app } = await server.client.getTargetApp({ path: { id: "Watch" } });
    const limits = { environments: ["production", "staging"], targetAppID: "iOS", secondaryTargetAppIDs: [app.id, "Watch"] };
    expect(await makeKey(server, { type: "CLIENT", ...limits })).toMatchObject({
      environments: ["production", "staging"],
      primaryTargetApp: "iOS",
      secondaryTargetApps: ["Watch"],
    });
  });

  test("400: other types, unknown scopes, long descriptions, unknown fields", async () => {
    const body = { type: "SCIM", description: "x".repeat(1001), scopes: ["client_download"], colour: "red" };
    const answer = await server.send("POST", "/console/v1/keys", { body });
    expect(answer.body.errors.map(({ property }: { property: string }) => property).sort()).toEqual([
      "colour",
      "description",
      "scopes[0]",
      "type",
    ]);
  });

  test("400: names every illegal scope and every unknown limit with its place, and stores nothing", async () => {
    const limits = { environments: ["production", "canary"], targetAppID: "Mac", secondaryTargetAppIDs: ["iOS", "TV"] };
    expect(await refusal(makeKey(server, { scopes: ["omni_read_only"], ...limits }))).toEqual(
      invalid(
        ["scopes[0]", "must not be omni_read_only, which is only for keys of the type CONSOLE"],
        ["environments[1]", "references environment canary, which does not exist"],
        ["targetAppID", "references target app Mac, which does not exist"],
        ["secondaryTargetAppIDs[1]", "references target app TV, which does not exist"],
      ),
    );
    expect((await refusal(server.client.getTargetApp({ path: { id: "TV" } }))).status).toBe(404);
  });

  test.each([
    ["none_hash_enabled", "every key may ask for names that are not hashed"],
    ["client_can_write_user_store", "there is no user store"],
    ["personal_read_only", "keys belong to a project, not to a person"],
    ["personal_read_write", "keys belong to a project, not to a person"],
  ] as const)("400: the scope %s, which has no effect, by its name", async (scope, reason) => {
    for (const type of ["CLIENT", "SERVER"] as const) {
      expect(await refusal(makeKey(server, { type, scopes: [scope] }))).toEqual(
        invalid(["scopes[0]", `must not be ${scope}, which has no effect here: ${reason}`]),
      );
    }
    const { id } = await makeKey(server, { type: "CONSOLE" });
    const body = { scopes: ["omni_read_only" as const, scope] };
    expect(await refusal(server.client.patchKey({ path: { id }, body }))).toEqual(
      invalid(["scopes[1]", `must not be ${scope}, which has no effect here: ${reason}`]),
    );
  });

  test("200: a client key with permission to download rulesets", async () => {
    const { scopes } = await makeKey(server, { type: "CLIENT", scopes: ["client_download_config_specs"] });
    expect(scopes).toEqual(["client_download_config_specs"]);
  });

  test("400: a console key without permission to read", async () => {
    expect(await refusal(makeKey(server, { type: "CONSOLE", scopes: ["can_access_keys"] }))).toEqual(
      invalid(["scopes", "must have omni_read_only or omni_read_write"]),
    );
  });
});

describe("getKey", () => {
  test("200: by id without the secret, and by the secret, which the response repeats", async () => {
    const { key, ...rest } = await makeKey(server, { description: "mine" });
    const { data, message } = await server.client.getKey({ path: { id: rest.id } });
    expect(message).toBe("Key read successfully.");
    expect(data).toEqual({ ...rest, key: null });
    expect(await get(key)).toEqual({ ...data, key });
  });

  test("404: the key does not exist; the message does not repeat a possible secret", async () => {
    expect(await refusal(get("nope"))).toEqual(notThere);
    expect((await refusal(get(`secret-${"x".repeat(40)}1234`))).message).toBe("Key secret-…1234 does not exist.");
  });
});

describe("listKeys", () => {
  test("200: newest first, in pages, without the secrets", async () => {
    server.clock.now += 1000;
    const { key: _, ...older } = await makeKey(server);
    server.clock.now += 1000;
    const { key: __, ...newer } = await makeKey(server);
    const { data, message, pagination } = await server.client.listKeys({ query: { limit: 2 } });
    expect(message).toBe("Keys listed successfully.");
    expect(data).toEqual([
      { ...newer, key: null },
      { ...older, key: null },
    ]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: await server.database.prisma.key.count(),
      nextPage: "/console/v1/keys?page=2&limit=2",
      previousPage: null,
      all: "/console/v1/keys",
    });
  });

  test("200: filters by environment, and by primary target app with its id or name", async () => {
    const { data: app } = await server.client.createTargetApp({ body: { name: "Listed" } });
    const one = await makeKey(server, { environments: ["development", "staging"], targetAppID: "Listed" });
    const two = await makeKey(server, { environments: ["development"], secondaryTargetAppIDs: ["Listed"] });
    const readIDs = async (query: object) => (await server.client.listKeys({ query })).data.map(({ id }) => id).sort();
    expect(await readIDs({ environment: "development" })).toEqual([one.id, two.id].sort());
    expect(await readIDs({ primaryTargetApp: "Listed" })).toEqual([one.id]);
    expect(await readIDs({ primaryTargetApp: app.id, environment: "development" })).toEqual([one.id]);
    expect(await readIDs({ primaryTargetApp: "nope" })).toEqual([]);
  });
});

describe("patchKey", () => {
  test("200: changes the given fields; the rest and the secret stay", async () => {
    const { key, ...made } = await makeKey(server, { type: "CONSOLE", description: "old", environments: ["staging"], targetAppID: "iOS" });
    server.clock.now += 1000;
    const body = { description: "new", environments: ["production"], secondaryTargetAppIDs: ["Watch"] };
    const { data, message } = await server.client.patchKey({ path: { id: made.id }, body });
    expect(message).toBe("Key updated successfully.");
    expect(data).toEqual({
      ...made,
      key: null,
      description: "new",
      environments: ["production"],
      secondaryTargetApps: ["Watch"],
      lastModifiedTime: server.clock.now,
      version: 2,
    });
    expect((await server.send("GET", "/console/v1/gates", { key })).status).toBe(200);
  });

  test("200: returns the key value if the path has it, and null in a repeated response", async () => {
    const { data } = await server.client.createKey({ body: { type: "CLIENT", description: "in the path" } });
    const headers = { "Idempotency-Key": "key-in-the-path" };
    const patch = () => server.send("PATCH", `/console/v1/keys/${data.key}`, { body: { description: "changed" }, headers });
    expect((await patch()).body.data).toMatchObject({ id: data.id, key: data.key, description: "changed" });
    expect((await patch()).body.data).toMatchObject({ id: data.id, key: null });
    expect((await server.client.patchKey({ path: { id: data.id }, body: { description: "by id" } })).data.key).toBeNull();
    expect((await server.client.deactivateKey({ path: { id: data.key as string } })).data.key).toBe(data.key);
  });

  test("200: null and empty lists remove limits", async () => {
    const limits = { environments: ["staging"], targetAppID: "iOS", secondaryTargetAppIDs: ["Watch"] };
    const { id } = await makeKey(server, limits);
    const none = { environments: [], targetAppID: null, secondaryTargetAppIDs: [] };
    const { data } = await server.client.patchKey({ path: { id }, body: none });
    expect(data).toMatchObject({ environments: [], primaryTargetApp: null, secondaryTargetApps: [] });
    expect(await countReferences(id)).toBe(0);
  });

  test("200: accepts the edited body of a GET; type, status and secret are set by the server", async () => {
    const made = await makeKey(server, { targetAppID: "iOS" });
    const body = { ...(await get(made.id)), type: "CONSOLE", status: "deactivated", key: "mine", description: "Edited." };
    const { data } = await server.client.patchKey({ path: { id: made.id }, body: body as object });
    expect(data).toMatchObject({
      type: "SERVER",
      status: "active",
      key: null,
      primaryTargetApp: "iOS",
      description: "Edited.",
      version: 2,
    });
  });

  test("400: illegal scopes and unknown limits", async () => {
    const { id } = await makeKey(server, { type: "CLIENT" });
    const body = { scopes: ["omni_read_write" as const], environments: ["canary"] };
    expect(await refusal(server.client.patchKey({ path: { id }, body }))).toEqual(
      invalid(
        ["scopes[0]", "must not be omni_read_write, which is only for keys of the type CONSOLE"],
        ["environments[0]", "references environment canary, which does not exist"],
      ),
    );
  });

  test("404: the key does not exist", async () => {
    expect(await refusal(server.client.patchKey({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

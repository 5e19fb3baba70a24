import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PERMISSIONS } from "../../src/common/permissions.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const permitted = ({ permissions }: { permissions: Partial<Record<string, boolean>> }) => PERMISSIONS.filter((one) => permissions[one]);
const create = (name: string, permissions: Partial<Record<(typeof PERMISSIONS)[number], boolean>> = { read: true }) =>
  server.client.createRole({ body: { name, permissions } });

describe("createRole", () => {
  test("201: returns every permission, with true for the granted ones", async () => {
    const { data, message, etag } = await create("Reviewer", { read: true, approve_reviews: true, manage_keys: false });
    expect(message).toBe("Role created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toMatchObject({ id: "Reviewer", name: "Reviewer", isBuiltIn: false, version: 1, createdTime: server.clock.now });
    expect(Object.keys(data.permissions)).toEqual(PERMISSIONS);
    expect(permitted(data)).toEqual(["read", "approve_reviews"]);
  });

  test("409: the name is taken; names of built-in roles are taken in any case", async () => {
    await create("Twice");
    expect(await refusal(create("Twice"))).toEqual(conflicting("Role Twice already exists."));
    expect(await refusal(create("admin"))).toEqual(conflicting("Role Admin already exists.", "name"));
  });

  test("403: the caller lacks the permission", async () => {
    await create("Role maker", { read: true, manage_roles: true });
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Role maker" });
    const send = (permissions: object) => server.send("POST", "/console/v1/roles", { key, body: { name: "Made", permissions } });
    const { status, body } = await send({ read: true, launch_or_disable_configs: true });
    const needed = "the permission launch_or_disable_configs, which is not given by the scopes of the key and its role Role maker together";
    expect([status, body]).toEqual([403, insufficient(needed)]);
    expect((await send({ read: true, manage_roles: true })).status).toBe(201);
  });

  test("400: an unknown permission", async () => {
    const { status, body } = await server.send("POST", "/console/v1/roles", { body: { name: "Odd", permissions: { fly: true } } });
    expect([status, body.errors[0].property]).toEqual([400, "permissions.fly"]);
  });
});

describe("listRoles", () => {
  test("200: built-in roles first, then the others newest first, across pages", async () => {
    const fresh = await startServer();
    for (const name of ["First", "Second"]) {
      fresh.clock.now += 1;
      await fresh.client.createRole({ body: { name, permissions: {} } });
    }
    const page = async (number: number) => {
      const { data, pagination } = await fresh.client.listRoles({ query: { limit: 2, page: number } });
      return [data.map(({ name }) => name), pagination.totalItems];
    };
    expect([await page(1), await page(2), await page(3)]).toEqual([
      [["Admin", "Member"], 5],
      [["Viewer", "Second"], 5],
      [["First"], 5],
    ]);
    await fresh.close();
  });
});

describe("getRole", () => {
  test("200: Admin has every permission, and Viewer only reads", async () => {
    const { data: admin } = await server.client.getRole({ path: { id: "Admin" } });
    const { data: viewer } = await server.client.getRole({ path: { id: "Viewer" } });
    expect([permitted(admin), permitted(viewer)]).toEqual([PERMISSIONS, ["read"]]);
    expect([admin.isBuiltIn, admin.creatorID, admin.version]).toEqual([true, null, 1]);
  });
});

describe("patchRole", () => {
  test("200: only the given permissions change", async () => {
    await create("Starter", { read: true, start_experiments: true });
    const { data } = await server.client.patchRole({
      path: { id: "Starter" },
      body: { permissions: { start_experiments: false, reset_experiments: true } },
    });
    expect([permitted(data), data.version]).toEqual([["read", "reset_experiments"], 2]);
  });

  test("403: the caller lacks the permission, even if the role already has it", async () => {
    await create("Strong", { read: true, manage_keys: true });
    await create("Patcher", { read: true, manage_roles: true });
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Patcher" });
    const { status } = await server.send("PATCH", "/console/v1/roles/Strong", { key, body: { permissions: { read: false } } });
    expect(status).toBe(403);
  });

  test("409: a built-in role", async () => {
    expect(await refusal(server.client.patchRole({ path: { id: "Viewer" }, body: { permissions: {} } }))).toEqual(
      conflicting("Role Viewer is built in and cannot be changed. Create a role of your own."),
    );
  });
});

describe("deleteRole", () => {
  test("200: deletes the role, and frees its name", async () => {
    await create("Passing");
    expect((await server.client.deleteRole({ path: { id: "Passing" } })).message).toBe("Role deleted successfully.");
    expect((await server.send("GET", "/console/v1/roles/Passing")).status).toBe(404);
    expect((await create("Passing")).data.version).toBe(1);
  });

  test("200: with force deletes a role that a key has, which leaves the key without permissions", async () => {
    await create("Forced");
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Forced" });
    const read = async () => (await server.send("GET", "/console/v1/gates", { key })).status;
    expect(await read()).toBe(200);
    await server.client.deleteRole({ path: { id: "Forced" }, query: { forceArchive: true } });
    server.clock.now += 500;
    expect(await read()).toBe(403);
  });

  test("409: a key has the role, or the role is built in", async () => {
    await create("Held");
    const { id } = await makeKey(server, { type: "CONSOLE", role: "Held" });
    const { status, body } = await server.send("DELETE", "/console/v1/roles/Held");
    expect([status, body.message]).toEqual([
      409,
      `Role Held cannot be deleted: it is referenced by key ${id}. Use forceArchive to do it anyway.`,
    ]);
    expect((await server.send("DELETE", "/console/v1/roles/Admin")).status).toBe(409);
  });
});

describe("a key with a role", () => {
  test("can write if no scopes are given, and shows its role", async () => {
    const { id, role, scopes } = await makeKey(server, { type: "CONSOLE", role: "Member" });
    expect([role, scopes]).toEqual(["Member", ["omni_read_write"]]);
    expect((await server.client.patchKey({ path: { id }, body: { role: null } })).data.role).toBeNull();
  });

  test("400: an unknown role, and a role for another type of key", async () => {
    const wrong = async (type: "CONSOLE" | "SERVER", role: string) =>
      (await server.send("POST", "/console/v1/keys", { body: { type, description: "", role } })).body.errors;
    expect(await wrong("CONSOLE", "Nobody")).toEqual([{ property: "role", errorMessage: "references role Nobody, which does not exist" }]);
    expect(await wrong("SERVER", "Member")).toEqual([
      { property: "role", errorMessage: "references role Member, but only keys of the type CONSOLE have a role" },
    ]);
  });

  test("403: cannot create, change or rotate a key with more permissions than its own", async () => {
    await create("Key keeper", { read: true, read_keys: true, manage_keys: true });
    const EVERY_SCOPE = ["omni_read_write" as const, "can_access_keys" as const];
    const keeper = (await makeKey(server, { type: "CONSOLE", role: "Key keeper", scopes: EVERY_SCOPE })).key;
    const strong = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    const send = (method: string, path: string, body: object = {}) => server.send(method, `/console/v1/keys${path}`, { key: keeper, body });
    const made = { type: "CONSOLE", description: "", scopes: ["omni_read_write"] };
    const statuses = [
      await send("POST", "", made),
      await send("PATCH", `/${strong.id}`, { description: "mine" }),
      await send("PATCH", `/${strong.id}/rotate`),
      await send("POST", "", { ...made, role: "Key keeper" }),
      await send("POST", "", { ...made, scopes: ["omni_read_only"] }),
      await send("PATCH", `/${strong.id}/deactivate`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 200, 200, 200]);
  });

  test("that is a custom one does not count as a key that manages keys, since the role can change", async () => {
    const alone = await startServer();
    await alone.client.createRole({ body: { name: "Keeper", permissions: { read: true, manage_keys: true } } });
    await makeKey(alone, { type: "CONSOLE", role: "Keeper", scopes: ["omni_read_write", "can_access_keys"] });
    const [first] = (await alone.client.listKeys()).data.toReversed();
    const { status } = await alone.send("PATCH", `/console/v1/keys/${first?.id}`, { body: { role: "Keeper" } });
    expect(status).toBe(409);
    await alone.close();
  });
});

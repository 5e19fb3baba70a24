import { permissions } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PERMISSIONS } from "../../src/common/permissions.ts";
import { type Check, checkAll } from "../support/checks.ts";
import { rowsWithoutEvents } from "../support/faults.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { fill, forKeys, type SweptOperation } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Scope = "omni_read_only" | "omni_read_write" | "can_access_keys";
type Permission = (typeof PERMISSIONS)[number];

const EVERY_SCOPE: Scope[] = ["omni_read_write", "can_access_keys"];

/** The keys of the matrix, each with its scopes and its role. */
const HOLDERS: { name: string; scopes: Scope[]; role?: string }[] = [
  { name: "scope omni_read_only", scopes: ["omni_read_only"] },
  { name: "scope omni_read_write", scopes: ["omni_read_write"] },
  { name: "scopes omni_read_only and can_access_keys", scopes: ["omni_read_only", "can_access_keys"] },
  { name: "scopes omni_read_write and can_access_keys", scopes: EVERY_SCOPE },
  { name: "role Admin", scopes: EVERY_SCOPE, role: "Admin" },
  { name: "role Member", scopes: EVERY_SCOPE, role: "Member" },
  { name: "role Viewer", scopes: EVERY_SCOPE, role: "Viewer" },
  { name: "role Admin, scope omni_read_only", scopes: ["omni_read_only"], role: "Admin" },
  { name: "a role with nothing", scopes: EVERY_SCOPE, role: "Nothing" },
];

/** Whether the contract's table grants a permission to a holder. */
function isGiven(permission: Permission, { scopes, role }: (typeof HOLDERS)[number]): boolean {
  const { roles, scopes: sets } = permissions[permission];
  const byScopes = sets.some((set) => set.every((scope) => (scopes as string[]).includes(scope)));
  return byScopes && (role === undefined || role === "Admin" || roles.includes(role));
}

const decider = ({ role }: (typeof HOLDERS)[number]) =>
  role === undefined ? "the scopes of the key" : `the scopes of the key and its role ${role} together`;

let server: TestServer;
const keys = new Map<string, string>();
const findKey = (name: string) => keys.get(name) as string;
beforeAll(async () => {
  server = await startServer();
  await server.client.createRole({ body: { name: "Nothing", permissions: {} } });
  for (const { name, ...given } of HOLDERS) keys.set(name, (await makeKey(server, { type: "CONSOLE", ...given })).key);
  for (const type of ["CLIENT", "SERVER"] as const) keys.set(type, (await makeKey(server, { type })).key);
});
afterAll(() => server.close());

const CHECKS: Check<{ operation: SweptOperation }>[] = [
  ...HOLDERS.map(
    (holder): Check<{ operation: SweptOperation }> => ({
      title: `as the contract's table says for a key: ${holder.name}`,
      applies: () => true,
      async run({ operation: { method, path, permission, isWrite, example } }) {
        const url = `${fill(path, {})}${isWrite ? "?dryRun=true" : ""}`;
        const { status, body } = await server.send(method, url, { key: findKey(holder.name), body: example });
        if (isGiven(permission as Permission, holder)) expect(status).not.toBe(403);
        else expect([status, body]).toEqual([403, insufficient(`the permission ${permission}, which is not given by ${decider(holder)}`)]);
      },
    }),
  ),
  {
    title: "403 for keys of other types, and 401 for an empty one",
    applies: () => true,
    async run({ operation: { method, path, isWrite, example } }) {
      const url = `${fill(path, {})}${isWrite ? "?dryRun=true" : ""}`;
      for (const type of ["CLIENT", "SERVER"]) {
        const { status, body } = await server.send(method, url, { key: findKey(type), body: example });
        expect([type, status, body]).toEqual([type, 403, insufficient("a key of the type CONSOLE")]);
      }
      expect((await server.send(method, url, { key: "", body: example })).status).toBe(401);
    },
  },
  {
    title: "403 for a write without the permission, before anything else is validated, and nothing changes",
    applies: ({ isWrite }) => isWrite,
    async run({ operation: { method, path, permission } }) {
      const before = await rowsWithoutEvents(server.database);
      for (const query of ["", "?dryRun=true", "?surprise=1"]) {
        const { status, body } = await server.send(method, `${fill(path, {})}${query}`, {
          key: findKey("a role with nothing"),
          body: { surprise: 1 },
        });
        expect([status, body]).toEqual([
          403,
          insufficient(`the permission ${permission}, which is not given by the scopes of the key and its role Nothing together`),
        ]);
      }
      expect(await rowsWithoutEvents(server.database)).toEqual(before);
    },
  },
];

describe("every operation accepts exactly the keys that have its permission by the contract's table", () => {
  test.each(forKeys)("$operationId", (operation) => checkAll({ operation }, CHECKS));
});

test("Keys of other types are rejected at unknown paths too", async () => {
  const { status, body } = await server.send("GET", "/console/v1/nowhere", { key: findKey("CLIENT") });
  expect([status, body]).toEqual([403, insufficient("a key of the type CONSOLE")]);
});

describe("permissions that depend on the changed fields", () => {
  const needs = (permission: Permission, role: string) =>
    insufficient(`the permission ${permission}, which is not given by the scopes of the key and its role ${role} together`);
  let editor: string;
  beforeAll(async () => {
    await server.client.createRole({
      body: { name: "Editor", permissions: { read: true, create_configs: true, edit_or_delete_configs: true } },
    });
    editor = (await makeKey(server, { type: "CONSOLE", role: "Editor" })).key;
    await server.client.createGate({ body: { name: "edited", rules: [] } });
    await server.client.createDynamicConfig({ body: { name: "edited config" } });
    await server.client.createExperiment({ body: { name: "edited experiment" } });
    await server.client.createGate({ body: { name: "precious", rules: [], tags: ["★ Core"] } });
  });
  const patch = (path: string, body: object) => server.send("PATCH", `/console/v1/${path}`, { key: editor, body });

  test("An editor can change a gate's description, and needs a further permission to disable it", async () => {
    expect((await patch("gates/edited", { description: "Better." })).status).toBe(200);
    expect((await patch("gates/edited", { isEnabled: false })).body).toEqual(needs("launch_or_disable_configs", "Editor"));
    expect((await patch("dynamic_configs/edited_config", { isEnabled: false })).body).toEqual(needs("launch_or_disable_configs", "Editor"));
  });

  test("An editor can change a dynamic config's values, and needs a further permission for its schema", async () => {
    expect((await patch("dynamic_configs/edited_config", { defaultValue: { a: 1 } })).status).toBe(200);
    const schema = JSON.stringify({ type: "object" });
    expect((await patch("dynamic_configs/edited_config", { schema })).body).toEqual(needs("edit_dynamic_config_schemas", "Editor"));
  });

  test("An editor cannot start an experiment by changing its status", async () => {
    expect((await patch("experiments/edited_experiment", { description: "Which price?" })).status).toBe(200);
    expect((await patch("experiments/edited_experiment", { status: "active" })).body).toEqual(needs("start_experiments", "Editor"));
  });

  test("An editor can delete an experiment, and needs a further permission while it runs", async () => {
    const groups = [{ name: "All", size: 100 }];
    const { data } = await server.client.createExperiment({ body: { name: "running", groups, status: "active" } });
    const end = () => server.send("DELETE", `/console/v1/experiments/${data.id}`, { key: editor });
    expect((await end()).body).toEqual(needs("launch_or_disable_configs", "Editor"));
    await server.client.abandonExperiment({ path: { id: data.id }, body: {} });
    expect((await end()).status).toBe(200);
  });

  test("An editor cannot change or delete an entity with the core tag, or add the tag", async () => {
    const refused = needs("edit_and_tag_configs_with_core_tag", "Editor");
    expect((await patch("gates/precious", { description: "Mine." })).body).toEqual(refused);
    expect((await server.send("DELETE", "/console/v1/gates/precious", { key: editor })).body).toEqual(refused);
    expect((await patch("gates/edited", { tags: ["★ Core"] })).body).toEqual(refused);
    expect((await server.client.getGate({ path: { id: "precious" } })).data.description).toBe("");
  });
});

describe("a console key", () => {
  test("loses within half a second the permissions that a change of its scopes removes", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    const write = async () => (await server.send("POST", "/console/v1/tags?dryRun=true", { key, body: { name: "tried" } })).status;
    expect(await write()).toBe(200);
    await server.client.patchKey({ path: { id }, body: { scopes: ["omni_read_only"] } });
    server.clock.now += 500;
    expect(await write()).toBe(403);
  });

  test("loses within half a second the permissions that a change of its role removes", async () => {
    await server.client.createRole({ body: { name: "Tagger", permissions: { create_configs: true } } });
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Tagger" });
    const write = async () => (await server.send("POST", "/console/v1/tags?dryRun=true", { key, body: { name: "tried" } })).status;
    expect(await write()).toBe(200);
    await server.client.patchRole({ path: { id: "Tagger" }, body: { permissions: { create_configs: false } } });
    server.clock.now += 500;
    expect(await write()).toBe(403);
  });
});

test("The table grants each permission to some scope except those about reviews, and contains every operation's permission", () => {
  expect(forKeys.filter(({ permission }) => !PERMISSIONS.includes(permission as Permission))).toEqual([]);
  expect(PERMISSIONS.filter((one) => permissions[one].scopes.length === 0)).toEqual([
    "self_approve_review",
    "approve_reviews",
    "bypass_reviews_for_overrides",
    "bypass_reviews",
  ]);
});

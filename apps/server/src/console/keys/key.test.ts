import { expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { hideSecret } from "../../tokens/secret.ts";
import { changeKey, deactivateKey, listTargetApps, managesKeys, namedByKey, newKey, readScopes, rotateKey } from "./key.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "default", operationID: "createKey", now: 1000 };
const all = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];

test("a console key without given scopes can only read; keys of other types have none", () => {
  const defaultScopes = (type: "CONSOLE" | "SERVER" | "CLIENT") => newKey({ type, description: "" }, context).key.scopes;
  expect([defaultScopes("CONSOLE"), defaultScopes("SERVER"), defaultScopes("CLIENT")]).toEqual([["omni_read_only"], [], []]);
});

test("a new key has a hint of its secret and nothing else of it", () => {
  const { key, secret } = newKey({ type: "SERVER", description: "" }, context);
  expect(key.hint).toBe(hideSecret(secret));
  expect(JSON.stringify(key)).not.toContain(secret.slice(7, -4));
});

test("a change keeps what is not given, the type and the status", () => {
  const { key } = newKey({ type: "SERVER", description: "old", environments: ["production"] }, context);
  const off = deactivateKey(key, context);
  expect(changeKey(off, { description: "new" }, { ...context, now: 2000 })).toEqual({
    ...key,
    description: "new",
    status: "deactivated",
    lastModifiedTime: 2000,
    version: 3,
  });
});

test("a rotated key has a new secret and hint under the same id; a deactivated one is rejected", () => {
  const { key, secret } = newKey({ type: "CLIENT", description: "" }, context);
  const rotated = rotateKey(key, { ...context, now: 2000 });
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.key).toEqual({ ...key, hint: hideSecret(rotated.secret), lastModifiedTime: 2000, version: 2 });
  expect(() => rotateKey(deactivateKey(key, context), context)).toThrow(`Key ${key.id} is permanently deactivated. Create another key.`);
});

test("only an active console key without limits and expiry that writes and has can_access_keys manages keys", () => {
  const { key } = newKey({ type: "CONSOLE", description: "", scopes: all }, context);
  expect(managesKeys(key)).toBe(true);
  expect(managesKeys(deactivateKey(key, context))).toBe(false);
  expect(managesKeys({ ...key, scopes: ["omni_read_only", "can_access_keys"] })).toBe(false);
  expect(managesKeys({ ...key, scopes: ["omni_read_write"] })).toBe(false);
  expect(managesKeys({ ...key, type: "SERVER" })).toBe(false);
  expect([managesKeys({ ...key, role: "Admin" }), managesKeys({ ...key, role: "Key keeper" })]).toEqual([true, false]);
  expect(managesKeys({ ...key, expiresTime: 2000 })).toBe(false);
  expect(managesKeys({ ...key, environments: ["staging"] })).toBe(false);
});

test("a console key reads at least, and a key has only scopes of its type", () => {
  const read = (...[type, given]: [type: Parameters<typeof readScopes>[0], given: Parameters<typeof readScopes>[1]]) => {
    const violations: Violation[] = [];
    return [readScopes(type, given, violations), violations.map(({ property, errorMessage }) => `${property} ${errorMessage}`)];
  };
  const mustRead = "scopes must have omni_read_only or omni_read_write";
  expect(read("CONSOLE", undefined)).toEqual([{}, []]);
  expect(read("CONSOLE", ["omni_read_only", "can_access_keys"])).toEqual([{ scopes: ["omni_read_only", "can_access_keys"] }, []]);
  expect(read("CONSOLE", ["can_access_keys"])[1]).toEqual([mustRead]);
  expect(read("CONSOLE", [])[1]).toEqual([mustRead]);
  expect(read("CONSOLE", ["omni_read_only", "mcp_write"])[1]).toEqual(["scopes must have omni_read_write if they have mcp_write"]);
  expect(read("CLIENT", [])).toEqual([{ scopes: [] }, []]);
  expect(read("CLIENT", ["client_download_config_specs", "omni_read_only"])[1]).toEqual([
    "scopes[1] must not be omni_read_only, which is only for keys of the type CONSOLE",
  ]);
  expect(read("SERVER", ["client_download_config_specs"])[1]).toEqual([
    "scopes[0] must not be client_download_config_specs, which is only for keys of the type CLIENT",
  ]);
});

test("a key's references are its environments and target apps, each with its place", () => {
  const limits = { environments: ["staging"], primaryTargetApp: "iOS", secondaryTargetApps: ["Watch", "TV"] };
  const { key } = newKey({ type: "SERVER", description: "", ...limits }, context);
  expect(namedByKey(key)).toEqual([
    { type: "environment", id: "staging", place: "environments[0]" },
    { type: "target_app", id: "iOS", place: "primaryTargetApp" },
    { type: "target_app", id: "Watch", place: "secondaryTargetApps[0]" },
    { type: "target_app", id: "TV", place: "secondaryTargetApps[1]" },
  ]);
  expect(namedByKey({ ...key, environments: [], primaryTargetApp: null, secondaryTargetApps: [], role: "Keeper" })).toEqual([
    { type: "role", id: "Keeper", place: "role" },
  ]);
  expect(namedByKey({ ...key, environments: [], primaryTargetApp: null, secondaryTargetApps: [], role: "Viewer" })).toEqual([]);
  expect(listTargetApps(key)).toEqual(["iOS", "Watch", "TV"]);
  expect(listTargetApps({ ...limits, primaryTargetApp: null })).toEqual(["Watch", "TV"]);
});

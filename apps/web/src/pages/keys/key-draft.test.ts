import { expect, test } from "vitest";
import { toText } from "../../targeting/parts.ts";
import { describeDraft, type KeyFields, keyModel, replaceWrite, type StoredKey, toFields, toWriteRequests } from "./key-draft.ts";
import type { Key } from "./key-words.ts";

const NOW = Date.UTC(2026, 5, 15);
const key = {
  id: "key_1",
  type: "CONSOLE",
  description: "Deploys",
  scopes: ["omni_read_write"],
  role: "Release",
  environments: ["staging"],
  primaryTargetApp: "iOS",
  secondaryTargetApps: [],
  allowedAddresses: ["10.0.0.0/8"],
  expiresTime: null,
} as unknown as Key;
const stored: StoredKey = { entity: key, etag: '"1"' };
const draft = (changed: Partial<KeyFields>) => ({ stored, fields: { ...toFields(key), ...changed } });

test("a draft that says what is stored changes nothing", () => {
  expect(keyModel.countChanges(draft({ environments: ["staging"] }))).toBe(0);
  expect(describeDraft(draft({}))).toEqual([]);
});

test("a save sends only what differs, on the version that was read", () => {
  expect(toWriteRequests(draft({ description: "Deploys it", environments: [] }))).toEqual([
    { operationId: "patchKey", path: { id: "key_1" }, body: { description: "Deploys it", environments: [] }, ifMatch: '"1"' },
  ]);
});

test("changes read as words", () => {
  const [entity] = describeDraft(draft({ environments: [], expiresTime: NOW, scopes: ["omni_read_only"], allowedAddresses: [] }));
  expect(entity?.changes.map(({ parts }) => toText(parts))).toEqual([
    "What it may: Read and write → Reads",
    "Environments: staging → All environments",
    "Allowed addresses: 10.0.0.0/8 → All addresses",
    "Expiry: Never → Jun 15, 2026, 00:00 UTC",
  ]);
});

test("a replacement has the settings of the old key, which is refused when the overlap ends", () => {
  expect(replaceWrite(stored, NOW)).toEqual([
    {
      operationId: "createKey",
      body: {
        type: "CONSOLE",
        description: "Deploys",
        scopes: ["omni_read_write"],
        role: "Release",
        environments: ["staging"],
        targetAppID: "iOS",
        secondaryTargetAppIDs: [],
        allowedAddresses: ["10.0.0.0/8"],
      },
    },
    { operationId: "patchKey", path: { id: "key_1" }, body: { expiresTime: NOW }, ifMatch: '"1"' },
  ]);
});

test("a replacement expires with the old key's own expiry if that is later than the overlap, and never prolongs the old key", () => {
  const [later] = replaceWrite({ ...stored, entity: { ...key, expiresTime: NOW + 1 } }, NOW);
  expect(later).toMatchObject({ body: { expiresTime: NOW + 1 } });
  const [earlier, old] = replaceWrite({ ...stored, entity: { ...key, expiresTime: NOW - 1 } }, NOW);
  expect(earlier).not.toHaveProperty("body.expiresTime");
  expect(old).toMatchObject({ body: { expiresTime: NOW - 1 } });
});

test("a replacement of a server key names neither scopes nor a role", () => {
  const [made] = replaceWrite({ ...stored, entity: { ...key, type: "SERVER", scopes: [], role: null } }, NOW);
  expect(made).not.toHaveProperty("body.scopes");
  expect(made).not.toHaveProperty("body.role");
});

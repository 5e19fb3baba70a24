import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { changedPermissions, conflictsIn, countChanges, draftOf, mergedDraft, setPermission, writeOf } from "./role-draft.ts";

const role = { name: "Release manager", permissions: { read: true, start_experiments: false, manage_keys: false } } as Schema<"Role">;
const stored = { role, etag: '"1"' };

test("a permission that is given and taken back is no change", () => {
  const given = setPermission(draftOf(stored), "manage_keys", true);
  expect([countChanges(given), countChanges(setPermission(given, "manage_keys", false))]).toEqual([1, 0]);
});

test("a save writes only the permissions that differ, and names the version that was read", () => {
  const draft = setPermission(setPermission(draftOf(stored), "manage_keys", true), "read", false);
  expect(writeOf(draft)).toEqual([
    {
      operationId: "patchRole",
      path: { id: "Release manager" },
      body: { permissions: { manage_keys: true, read: false } },
      ifMatch: '"1"',
    },
  ]);
});

test("what somebody else saved is kept beside the edits", () => {
  const draft = setPermission(draftOf(stored), "manage_keys", true);
  const current = { role: { ...role, permissions: { ...role.permissions, start_experiments: true } }, etag: '"2"' };
  expect(conflictsIn(draft, current)).toEqual([]);
  const merged = mergedDraft(draft, current, {});
  expect([merged.stored.etag, changedPermissions(merged)]).toEqual(['"2"', { manage_keys: true }]);
});

import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { conflictsIn, mergedDraft } from "../../saving/draft-model.ts";
import {
  describeDraft,
  placesInWords,
  publishableIn,
  roleModel,
  type StoredRole,
  setPermission,
  setPublishesIn,
  toWriteRequests,
} from "./role-draft.ts";

const role = { name: "Release manager", permissions: { read: true, start_experiments: false } } as Schema<"Role">;
const stored = { entity: role, etag: '"1"' };
const draft = roleModel.createDraft(stored, roleModel.storedParts(stored));

test("granting and then removing a permission counts as no change, even if the role does not list it", () => {
  const given = setPermission(draft, "manage_keys", true);
  expect([roleModel.countChanges(given), roleModel.countChanges(setPermission(given, "manage_keys", false))]).toEqual([1, 0]);
});

test("a save writes only the permissions that differ, and names the version that was read", () => {
  const edited = setPermission(setPermission(draft, "manage_keys", true), "read", false);
  expect(toWriteRequests(edited)).toEqual([
    {
      operationId: "patchRole",
      path: { id: "Release manager" },
      body: { permissions: { manage_keys: true, read: false } },
      ifMatch: '"1"',
    },
  ]);
});

test("changes saved by someone else are kept beside the edits", () => {
  const edited = setPermission(draft, "manage_keys", true);
  const current: StoredRole = { entity: { ...role, permissions: { ...role.permissions, start_experiments: true } }, etag: '"2"' };
  expect(conflictsIn(roleModel, edited, current)).toEqual([]);
  const [request] = toWriteRequests(mergedDraft(roleModel, edited, current, {}));
  expect(request).toMatchObject({ body: { permissions: { manage_keys: true } }, ifMatch: '"2"' });
});

test("where a role publishes is one change, which writes null for every environment", () => {
  const limited = setPublishesIn(draft, ["staging"]);
  expect([roleModel.countChanges(limited), toWriteRequests(limited)]).toMatchObject([
    1,
    [{ body: { permissions: {}, publishesIn: ["staging"] } }],
  ]);
  const other = { entity: { ...role, publishesIn: ["staging"] }, etag: '"2"' };
  const opened = setPublishesIn(roleModel.createDraft(other, roleModel.storedParts(other)), null);
  expect(toWriteRequests(opened)).toMatchObject([{ body: { permissions: {}, publishesIn: null } }]);
});

test("a copy publishes where both its source and its author do", () => {
  const given = [null, ["staging", "production"]];
  expect(given.map((source) => [publishableIn(source, null), publishableIn(source, ["staging"])])).toEqual([
    [null, ["staging"]],
    [["staging", "production"], ["staging"]],
  ]);
  expect([null, [], ["a", "b", "c"]].map(placesInWords)).toEqual(["All environments", "No environment", "a, b, and c"]);
});

test("a review says where the role will publish, even if nothing else changes", () => {
  const change = (before: string[] | null, after: string[] | null) => {
    const changes = [{ entityType: "role", entityID: "Release manager", fields: [{ field: "publishesIn", before, after }] }];
    return describeDraft(draft, changes).flatMap((one) => one.changes.map(({ parts }) => parts.map(({ text }) => text).join(" ")));
  };
  expect([change(null, ["staging"]), change(["staging"], null)]).toEqual([["Publishes in: staging"], ["Publishes in: All environments"]]);
});

// Edits of a role that are not saved yet. Pure.
import type { BatchRequest, Changes, Schema } from "../../api.ts";
import { changedParts, type DraftModel, type Stored } from "../../saving/draft-model.ts";
import { type PermissionName, type Permissions, permissionInWords } from "../../session/permissions.ts";
import { type DescribedEntity, describeChanges } from "../../targeting/changes.ts";
import { subject, text } from "../../targeting/parts.ts";

type Role = Schema<"Role">;
export type StoredRole = Stored<Role>;
export type RoleDraft = { readonly stored: StoredRole; readonly permissions: Permissions };

export const setPermission = (draft: RoleDraft, name: PermissionName, isGiven: boolean): RoleDraft => ({
  ...draft,
  permissions: { ...draft.permissions, [name]: isGiven },
});

/** A permission has two values, so two people who changed the same one agree. */
export const roleModel: DraftModel<StoredRole, RoleDraft, Permissions> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => entity.permissions,
  draftParts: ({ permissions }) => permissions,
  createDraft: (stored, permissions) => ({ stored, permissions }),
  countChanges: (draft) => Object.keys(changedPermissions(draft)).length,
  getName: permissionInWords,
  toText: (_, value) => (value === true ? "Permitted" : "Not granted"),
};

/** One that the role does not name is not given. */
function changedPermissions(draft: RoleDraft): Permissions {
  const before = draft.stored.entity.permissions;
  const changed = Object.entries(changedParts(roleModel, draft)) as [PermissionName, boolean][];
  return Object.fromEntries(changed.filter(([name, isGiven]) => isGiven !== (before[name] ?? false)));
}

export const toWriteRequests = (draft: RoleDraft): BatchRequest[] => [
  {
    operationId: "patchRole",
    path: { id: draft.stored.entity.name },
    body: { permissions: changedPermissions(draft) },
    ifMatch: draft.stored.etag,
  },
];

/** Changes of permissions as sentences. */
export function describeDraft(_: RoleDraft, changes: Changes): DescribedEntity[] {
  return describeChanges(changes, []).map((entity) => ({
    ...entity,
    changes: entity.changes.map((change) => {
      const name = change.field.replace(/^permissions\./, "") as PermissionName;
      const source = changes.find(({ entityID }) => entityID === entity.entityID)?.fields.find(({ field }) => field === change.field);
      const words = permissionInWords(name);
      return words === name ? change : { ...change, parts: [text(source?.after === true ? "Granted:" : "Revoked:"), subject(words)] };
    }),
  }));
}

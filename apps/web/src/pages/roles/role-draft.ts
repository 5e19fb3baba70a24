// Edits of a role that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { type Choice, type Conflict, conflictsOf, merge } from "../../saving/merge.ts";
import type { PermissionName, Permissions } from "../../session/permissions.ts";

type Role = Schema<"Role">;

/** What was read of the role, with its ETag: a save is refused if somebody else saved since. */
export type Stored = { readonly role: Role; readonly etag: string };
export type RoleDraft = { readonly stored: Stored; readonly permissions: Permissions };

export const draftOf = (stored: Stored): RoleDraft => ({ stored, permissions: stored.role.permissions });

export const setPermission = (draft: RoleDraft, name: PermissionName, isGiven: boolean): RoleDraft => ({
  ...draft,
  permissions: { ...draft.permissions, [name]: isGiven },
});

/** The permissions that differ from what the edits began from. */
export function changedPermissions({ stored, permissions }: RoleDraft): Permissions {
  const before = stored.role.permissions;
  const names = Object.keys(permissions) as PermissionName[];
  return Object.fromEntries(names.filter((name) => permissions[name] !== (before[name] ?? false)).map((name) => [name, permissions[name]]));
}

export const countChanges = (draft: RoleDraft): number => Object.keys(changedPermissions(draft)).length;

export const writeOf = (draft: RoleDraft): BatchRequest[] => [
  {
    operationId: "patchRole",
    path: { id: draft.stored.role.name },
    body: { permissions: changedPermissions(draft) },
    ifMatch: draft.stored.etag,
  },
];

/** What both the draft and somebody else changed. A permission has two values, so both can only have changed it alike. */
export const conflictsIn = (draft: RoleDraft, current: Stored): Conflict<Permissions>[] =>
  conflictsOf(draft.stored.role.permissions, draft.permissions, current.role.permissions);

/** The draft on top of what somebody else saved. */
export const mergedDraft = (draft: RoleDraft, current: Stored, choices: Partial<Record<PermissionName, Choice>>): RoleDraft => ({
  stored: current,
  permissions: merge(draft.stored.role.permissions, draft.permissions, current.role.permissions, choices),
});

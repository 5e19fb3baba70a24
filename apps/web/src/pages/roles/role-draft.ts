// Edits of a role that are not saved yet. Pure.

import type { BatchRequest, Changes, Schema } from "../../api.ts";
import { changedParts, type DraftModel, type Stored } from "../../saving/draft-model.ts";
import { type PermissionName, type Permissions, permissionInWords } from "../../session/permissions.ts";
import { type DescribedEntity, describeChanges } from "../../targeting/changes.ts";
import { subject, text } from "../../targeting/parts.ts";
import { listed } from "../../ui/list-text.ts";

type Role = Schema<"Role">;
export type StoredRole = Stored<Role>;
/** The only environments where the role publishes; null means every one. */
type PublishesIn = readonly string[] | null;
type Parts = Permissions & { publishesIn: PublishesIn };
export type RoleDraft = { readonly stored: StoredRole; readonly permissions: Permissions; readonly publishesIn: PublishesIn };

export const setPermission = (draft: RoleDraft, name: PermissionName, isGiven: boolean): RoleDraft => ({
  ...draft,
  permissions: { ...draft.permissions, [name]: isGiven },
});

export const setPublishesIn = (draft: RoleDraft, publishesIn: PublishesIn): RoleDraft => ({ ...draft, publishesIn });

/** Where a role publishes, in words. */
export function placesInWords(publishesIn: PublishesIn | undefined): string {
  if (!publishesIn) return "All environments";
  return publishesIn.length === 0 ? "No environment" : listed(publishesIn);
}

/** The environments that a person can give to a role like this one. @param mine those where they publish */
export function publishableIn(given: PublishesIn, mine: PublishesIn): PublishesIn {
  return given === null || mine === null ? (given ?? mine) : given.filter((one) => mine.includes(one));
}

/** A permission has two values, so two people who changed the same one agree. */
export const roleModel: DraftModel<StoredRole, RoleDraft, Parts> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => ({ ...entity.permissions, publishesIn: entity.publishesIn ?? null }),
  draftParts: ({ permissions, publishesIn }) => ({ ...permissions, publishesIn }),
  createDraft: (stored, { publishesIn, ...permissions }) => ({ stored, permissions, publishesIn }),
  countChanges: (draft) => Object.keys(changedPermissions(draft)).length + ("publishesIn" in changedParts(roleModel, draft) ? 1 : 0),
  getName: (name) => (name === "publishesIn" ? "Publishes in" : permissionInWords(name)),
  toText: (name, value) => (name === "publishesIn" ? placesInWords(value as PublishesIn) : value === true ? "Permitted" : "Not granted"),
};

/** One that the role does not name is not given. */
function changedPermissions(draft: RoleDraft): Permissions {
  const before = draft.stored.entity.permissions;
  const { publishesIn: _, ...permissions } = changedParts(roleModel, draft);
  const changed = Object.entries(permissions) as [PermissionName, boolean][];
  return Object.fromEntries(changed.filter(([name, isGiven]) => isGiven !== (before[name] ?? false)));
}

export function toWriteRequests(draft: RoleDraft): BatchRequest[] {
  const { publishesIn } = changedParts(roleModel, draft);
  return [
    {
      operationId: "patchRole",
      path: { id: draft.stored.entity.name },
      body: { permissions: changedPermissions(draft), ...(publishesIn !== undefined && { publishesIn: publishesIn && [...publishesIn] }) },
      ifMatch: draft.stored.etag,
    },
  ];
}

/** Changes of permissions, and of where the role publishes, as sentences. */
export function describeDraft(_: RoleDraft, changes: Changes): DescribedEntity[] {
  return describeChanges(changes, []).map((entity) => {
    const fields = changes.find(({ entityID }) => entityID === entity.entityID)?.fields ?? [];
    // A role without limits has no such field, so setting it alone would look like a new role.
    const places = fields.find(({ field }) => field === "publishesIn");
    const others = entity.changes.filter(({ field }) => field !== "publishesIn" && field !== "");
    const described = others.map((change) => {
      const name = change.field.replace(/^permissions\./, "") as PermissionName;
      const source = fields.find(({ field }) => field === change.field);
      const words = permissionInWords(name);
      return words === name ? change : { ...change, parts: [text(source?.after === true ? "Granted:" : "Revoked:"), subject(words)] };
    });
    return { ...entity, changes: [...(places ? [placesChange(places.after as PublishesIn)] : []), ...described] };
  });
}

function placesChange(after: PublishesIn): DescribedEntity["changes"][number] {
  return { kind: "changed", field: "publishesIn", parts: [text("Publishes in:"), subject(placesInWords(after))] };
}

// Edits of a key that are not saved yet. Pure.

import type { BatchRequest, WritableSchema } from "../../api.ts";
import { changedParts, type DraftModel, type FieldsDraft, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import { subject, text, value } from "../../targeting/parts.ts";
import { listed } from "../../ui/list-text.ts";
import { moment } from "../../ui/time-text.ts";
import { type Key, TYPE_NAMES } from "./key-words.ts";

type Scopes = Key["scopes"];

/** The editable fields of a key. A target app is given by its name. */
export type KeyFields = {
  description: string;
  scopes: Scopes;
  role: string | null;
  environments: string[];
  targetAppID: string | null;
  secondaryTargetAppIDs: string[];
  allowedAddresses: string[];
  expiresTime: number | null;
};

export type StoredKey = Stored<Key>;
export type KeyDraft = FieldsDraft<Key, KeyFields>;

export const toFields = (key: Key): KeyFields => ({
  description: key.description,
  scopes: key.scopes,
  role: key.role,
  environments: key.environments,
  targetAppID: key.primaryTargetApp,
  secondaryTargetAppIDs: key.secondaryTargetApps,
  allowedAddresses: key.allowedAddresses,
  expiresTime: key.expiresTime,
});

const FIELD_NAMES: Record<keyof KeyFields, string> = {
  description: "Description",
  scopes: "What it may",
  role: "Role",
  environments: "Environments",
  targetAppID: "Target app",
  secondaryTargetAppIDs: "Further target apps",
  allowedAddresses: "Allowed addresses",
  expiresTime: "Expiry",
};

export const keyModel: DraftModel<StoredKey, KeyDraft, KeyFields> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => toFields(entity),
  draftParts: ({ fields }) => fields,
  createDraft: (stored, fields) => ({ stored, fields }),
  countChanges: (draft) => Object.keys(changedParts(keyModel, draft)).length,
  getName: (name) => FIELD_NAMES[name],
  toText: (name, given) => fieldText(name, given),
};

/** The requests of a save: only the differences, on the version that was read. */
export function toWriteRequests(draft: KeyDraft): BatchRequest[] {
  const body: Partial<WritableSchema<"KeyPatch">> = changedParts(keyModel, draft);
  return [{ operationId: "patchKey", path: { id: draft.stored.entity.id }, body, ifMatch: draft.stored.etag }];
}

/** Creates a successor with the same settings, and sets the time when the old key stops working: until then both work. */
export function replaceWrite({ entity: key, etag }: StoredKey, until: number): BatchRequest[] {
  const { expiresTime, scopes, role, ...fields } = toFields(key);
  const power = key.type === "SERVER" ? {} : { scopes };
  const body = {
    type: key.type,
    ...fields,
    ...power,
    ...(key.type === "CONSOLE" && { role }),
    ...(lasts(expiresTime, until) && { expiresTime }),
  };
  return [
    { operationId: "createKey", body },
    { operationId: "patchKey", path: { id: key.id }, body: { expiresTime: Math.min(until, expiresTime ?? until) }, ifMatch: etag },
  ];
}

/** An expiry that comes before the overlap ends is that of the old key alone. */
const lasts = (expiresTime: number | null, until: number): boolean => expiresTime !== null && expiresTime > until;

/** A value in words, to compare two. */
function fieldText(name: keyof KeyFields, given: unknown): string {
  if (name === "expiresTime") return given === null ? "Never" : moment(Number(given), "utc");
  if (name === "scopes") return (given as string[]).map((scope) => SCOPE_NAMES[scope] ?? scope).join(", ") || "Full access of its type";
  if (name === "allowedAddresses") return listed(given as string[]) || "All addresses";
  if (name === "environments") return listed(given as string[]) || "All environments";
  if (Array.isArray(given)) return listed(given) || "None";
  return given === null || given === "" ? "None" : String(given);
}

const SCOPE_NAMES: Record<string, string> = {
  omni_read_only: "Reads",
  omni_read_write: "Read and write",
  can_access_keys: "Manages keys",
  client_download_config_specs: "Downloads rules",
  bypass_reviews: "Skips reviews",
  mcp_write: "AI agents make changes",
};

/** The changes of a draft in words. */
export function describeDraft(draft: KeyDraft): DescribedEntity[] {
  const before = toFields(draft.stored.entity);
  const changed = Object.keys(changedParts(keyModel, draft)) as (keyof KeyFields)[];
  return describeSteps(
    draft.stored.entity,
    changed.map((name) => [
      subject(FIELD_NAMES[name]),
      text(":"),
      value(fieldText(name, before[name])),
      text("→"),
      value(fieldText(name, draft.fields[name])),
    ]),
  );
}

/** Steps that a key takes as a whole, in words. */
export function describeSteps(
  { id, type }: Pick<Key, "id" | "type">,
  lines: DescribedEntity["changes"][number]["parts"][],
): DescribedEntity[] {
  if (lines.length === 0) return [];
  const changes = lines.map((parts) => ({ kind: "changed" as const, field: "", parts }));
  return [{ entityType: "key", entityID: id, title: [text(`${TYPE_NAMES[type]} key`), subject(id)], changes }];
}

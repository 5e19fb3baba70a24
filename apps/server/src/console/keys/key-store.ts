import { areWithin } from "../../common/address-ranges.ts";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { conflict, forbidden, invalid, notFound } from "../../common/errors.ts";
import { requireToGive } from "../../common/permissions.ts";
import { listed } from "../../common/words.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { hashSecret, hideSecret, isSecret } from "../../tokens/secret.ts";
import type { Window } from "../common/page.ts";
import { ADMIN, permittedBy, type Role } from "../roles/role.ts";
import { createRoleStore } from "../roles/role-store.ts";
import type { EntityKind } from "../slice.ts";
import { KEY_MANAGEMENT_SCOPES, type Key, listTargetApps, managesKeys, namedByKey, reachOfKey } from "./key.ts";
import { permissionsOfKey } from "./key-permissions.ts";

export const keyKind: EntityKind<"key", Key> = {
  table: "key",
  type: "key",
  getID: (key) => key.id,
  references: namedByKey,
  isArchived: (key) => key.status === "deactivated",
  columns: {
    type: (key) => key.type,
    status: (key) => key.status,
    scopes: (key) => key.scopes,
    role: (key) => key.role,
    environments: (key) => key.environments,
    allowedAddresses: { unlisted: (key) => key.allowedAddresses },
    primaryTargetApp: (key) => key.primaryTargetApp,
    targetApps: listTargetApps,
    hash: "elsewhere",
    lastUsedTime: "elsewhere",
    expiresTime: { unlisted: (key) => key.expiresTime },
  },
  listing: { getName: ({ description }) => description ?? "", searchTexts: () => [] },
  named: null,
  ruleset: "scopes",
  needs: null,
  reach: reachOfKey,
};

export function createKeyStore(deps: StoreDeps) {
  const { db, projectID, log } = deps;
  const store = entityStore(deps, keyKind);
  /** A store whose writes set the hash of a secret. Other writes leave the hash as it is. The change log never has it. */
  const createStoreWithHash = (secret: string) =>
    entityStore(deps, { ...keyKind, columns: { ...keyKind.columns, hash: { unlisted: () => hashSecret(secret) } } });

  return {
    listNaming: store.listNaming,

    /** Newest first. */
    list: (
      window: Window,
      { environment, status, ...equal }: { environment?: string; primaryTargetApp?: string; status?: Key["status"][] } = {},
    ) =>
      store.listWhere([...filters.equal(equal), ...filters.oneOf({ status }), ...filters.holding({ environments: environment })], window),

    /** Finds a key by its id or its secret. @throws AppError not_found, whose message does not repeat the secret */
    async get(idOrSecret: string): Promise<Key> {
      if (!isSecret(idOrSecret)) return store.get(idOrSecret);
      const hash = hashSecret(idOrSecret);
      const [row] = await db.$queryRaw<{ id: string }[]>`select id from key where "projectID" = ${projectID} and hash = ${hash}`;
      if (!row) throw notFound("Key", hideSecret(idOrSecret));
      log.resolved(keyKind.type, idOrSecret, row.id);
      return store.get(row.id);
    },

    /** @throws AppError invalid_request for a role that does not exist; forbidden if the key has a permission that the caller lacks */
    async create(key: Key, secret: string): Promise<Key> {
      await requireHeld(key);
      return createStoreWithHash(secret).create(key);
    },

    /**
     * A new `secret` invalidates the old one.
     * @throws AppError conflict for the last key that manages keys; forbidden if the key would have a permission that the caller lacks
     */
    async replace(before: Key, after: Key, secret?: string): Promise<Key> {
      if (after.status === "active") await requireHeld(after);
      if (managesKeys(before) && !managesKeys(after)) await requireAnotherKeyManager(before);
      return (secret === undefined ? store : createStoreWithHash(secret)).replace(before, after);
    },

    /** @throws AppError conflict if no key that manages keys would be left */
    async delete(key: Key): Promise<void> {
      if (managesKeys(key)) await requireAnotherKeyManager(key);
      await store.delete(key);
    },

    /** Keys whose creator is a deactivated person, or has lost all permissions in the project. */
    async orphaned(keys: Key[]): Promise<Set<Key>> {
      const creators = [...new Set(keys.map(({ creatorID }) => creatorID))];
      const rows = await db.$queryRaw<{ id: string }[]>`
        select id from person where "projectID" = ${INSTANCE_PROJECT} and id = any(${creators}::text[]) and not ("isActive" and (
          "isAdministrator" or exists (select 1 from member where member."projectID" = ${projectID} and member.id = person.id)
        ))`;
      const gone = new Set(rows.map(({ id }) => id));
      return new Set(keys.filter(({ creatorID }) => creatorID !== null && gone.has(creatorID)));
    },

    /** The times of last use by key id, as ISO texts. Null for keys that were never used. */
    async lastUsed(keys: Key[]): Promise<Map<string, string | null>> {
      const ids = keys.map(({ id }) => id);
      const rows = await db.$queryRaw<{ id: string; lastUsedTime: bigint | null }[]>`
        select id, "lastUsedTime" from key where "projectID" = ${projectID} and id = any(${ids}::text[])`;
      const text = (time: bigint | null) => (time === null ? null : new Date(Number(time)).toISOString());
      return new Map(rows.map(({ id, lastUsedTime }) => [id, text(lastUsedTime)]));
    },
  };

  /** A key only has permissions of the caller who creates, changes or rotates it. */
  async function requireHeld({ type, scopes, role, environments, expiresTime, allowedAddresses }: Key): Promise<void> {
    requireEarlier(expiresTime);
    requireWithin(allowedAddresses);
    if (type !== "CONSOLE") return;
    const given = role === null ? undefined : await createRoleStore(deps).find(role);
    if (role !== null && !given) throw invalid([{ property: "role", errorMessage: `references role ${role}, which does not exist` }]);
    const permissions = permissionsOfKey({ scopes, role, rolePermissions: given ? permittedBy(given) : null });
    requireToGive(deps.by, { permissions, publishesIn: publishedBy(given, environments) });
  }

  /** The environments where a key can change what users get: those of its role that are within its own limits. Null means every one. */
  function publishedBy(role: Role | undefined, environments: string[]): readonly string[] | null {
    const ofRole = role?.publishesIn ?? null;
    if (environments.length === 0) return ofRole;
    return ofRole === null ? environments : environments.filter((one) => ofRole.includes(one));
  }

  /** Otherwise a key could outlive its expiry in another one. */
  function requireEarlier(expiresTime: number | null): void {
    const latest = deps.by.limits?.expiresTime ?? null;
    if (latest === null || (expiresTime !== null && expiresTime <= latest)) return;
    throw forbidden(`a key that expires at ${latest} at the latest, since the key of the request expires then`);
  }

  /** Otherwise a caller could create another key and use it from other addresses. */
  function requireWithin(addresses: string[]): void {
    const allowed = deps.by.limits?.allowedAddresses ?? [];
    if (allowed.length === 0 || (addresses.length > 0 && areWithin(addresses, allowed))) return;
    throw forbidden("a key whose allowed addresses are all among those of the key of the request");
  }

  /** Locks the keys that manage keys, so that concurrent requests cannot remove the last two at once. */
  async function requireAnotherKeyManager({ id }: Key): Promise<void> {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from key
      where "projectID" = ${projectID} and type = 'CONSOLE' and status = 'active' and "expiresTime" is null
        and scopes @> ${KEY_MANAGEMENT_SCOPES}::text[]
        and (role is null or role = ${ADMIN}) and environments = '{}' and "targetApps" = '{}'
      order by id for update`;
    if (rows.some((row) => row.id !== id)) return;
    throw conflict(
      `Key ${id} is the last active key with the scopes ${listed(KEY_MANAGEMENT_SCOPES)}, no role but ${ADMIN}, no limits, and no expiry. Without it, keys could no longer be managed.`,
      "scopes",
    );
  }
}

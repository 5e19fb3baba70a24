import { conflict, invalid, notFound } from "../../errors.ts";
import { requirePermissions } from "../../permissions.ts";
import { entityStore } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { Window } from "../common/page.ts";
import { ADMIN, permittedBy } from "../roles/role.ts";
import { createRoleStore } from "../roles/role-store.ts";
import type { EntityKind } from "../slice.ts";
import { KEY_MANAGEMENT_SCOPES, type Key, managesKeys, namedByKey, targetAppsOf } from "./key.ts";
import { principalOfKey } from "./key-permissions.ts";
import { hashSecret, hintOf, isSecret } from "./secret.ts";

export const keyKind: EntityKind<"key", Key> = {
  table: "key",
  type: "key",
  idOf: (key) => key.id,
  references: namedByKey,
  isArchived: (key) => key.status === "deactivated",
  columns: {
    type: (key) => key.type,
    status: (key) => key.status,
    scopes: (key) => key.scopes,
    role: (key) => key.role,
    environments: (key) => key.environments,
    primaryTargetApp: (key) => key.primaryTargetApp,
    targetApps: targetAppsOf,
    hash: "elsewhere",
    lastUsedTime: "elsewhere",
  },
  named: null,
  ruleset: "scopes",
  needs: null,
};

export function createKeyStore(deps: StoreDeps) {
  const { db, projectID, log } = deps;
  const store = entityStore(deps, keyKind);
  /** The store of a key that gets another secret. A write without one leaves the hash as it is, and no change shows it. */
  const opening = (secret: string) =>
    entityStore(deps, { ...keyKind, columns: { ...keyKind.columns, hash: { unlisted: () => hashSecret(secret) } } });

  return {
    listNaming: store.listNaming,

    /** Those that are limited to an environment and whose primary target app has a name, newest first. */
    list: (window: Window, { environment, ...equal }: { environment?: string; primaryTargetApp?: string } = {}) =>
      store.listWhere([...filters.equal(equal), ...filters.holding({ environments: environment })], window),

    /** By its id, or by the key itself. @throws AppError not_found, which does not repeat the key */
    async get(idOrSecret: string): Promise<Key> {
      if (!isSecret(idOrSecret)) return store.get(idOrSecret);
      const hash = hashSecret(idOrSecret);
      const [row] = await db.$queryRaw<{ id: string }[]>`select id from key where "projectID" = ${projectID} and hash = ${hash}`;
      if (!row) throw notFound("Key", hintOf(idOrSecret));
      log.resolved(keyKind.type, idOrSecret, row.id);
      return store.get(row.id);
    },

    /** @throws AppError invalid_request for a role that does not exist; forbidden if the key could do what the caller may not */
    async create(key: Key, secret: string): Promise<Key> {
      await requireNoMore(key);
      return opening(secret).create(key);
    },

    /**
     * With `secret`, the old one opens nothing any more.
     * @throws AppError conflict if no key were left that manages keys; forbidden if the key could do what the caller may not
     */
    async replace(before: Key, after: Key, secret?: string): Promise<Key> {
      if (after.status === "active") await requireNoMore(after);
      if (managesKeys(before) && !managesKeys(after)) await requireAnother(before);
      return (secret === undefined ? store : opening(secret)).replace(before, after);
    },

    /** @throws AppError conflict if no key were left that manages keys */
    async delete(key: Key): Promise<void> {
      if (managesKeys(key)) await requireAnother(key);
      await store.delete(key);
    },

    /** When keys were last used, as texts, by their ids. */
    async lastUsed(keys: Key[]): Promise<Map<string, string | null>> {
      const ids = keys.map(({ id }) => id);
      const rows = await db.$queryRaw<{ id: string; lastUsedTime: bigint | null }[]>`
        select id, "lastUsedTime" from key where "projectID" = ${projectID} and id = any(${ids}::text[])`;
      const text = (time: bigint | null) => (time === null ? null : new Date(Number(time)).toISOString());
      return new Map(rows.map(({ id, lastUsedTime }) => [id, text(lastUsedTime)]));
    },
  };

  /** A key can do no more than who makes, changes or rotates it. */
  async function requireNoMore({ type, scopes, role }: Key): Promise<void> {
    if (type !== "CONSOLE") return;
    const given = role === null ? undefined : await createRoleStore(deps).find(role);
    if (role !== null && !given) throw invalid([{ property: "role", errorMessage: `names role ${role}, which does not exist` }]);
    const { permissions } = principalOfKey({ scopes, role, rolePermissions: given ? permittedBy(given) : null });
    requirePermissions(deps.by, permissions);
  }

  /** Locks the keys that manage keys, so that of two that are the last not both go at the same time. */
  async function requireAnother({ id }: Key): Promise<void> {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from key where "projectID" = ${projectID} and type = 'CONSOLE' and status = 'active' and (role is null or role = ${ADMIN}) and scopes @> ${KEY_MANAGEMENT_SCOPES}::text[]
      order by id for update`;
    if (rows.some((row) => row.id !== id)) return;
    throw conflict(
      `Key ${id} is the last active one with the scopes ${KEY_MANAGEMENT_SCOPES.join(" and ")} and no lesser role: nobody could manage keys without it.`,
      "scopes",
    );
  }
}

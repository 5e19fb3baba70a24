import { conflict, notFound } from "../../errors.ts";
import { entityStore } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { EntityKind } from "../slice.ts";
import { KEY_MANAGEMENT_SCOPES, type Key, managesKeys, namedByKey, targetAppsOf } from "./key.ts";
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
    environments: (key) => key.environments,
    primaryTargetApp: (key) => key.primaryTargetApp,
    targetApps: targetAppsOf,
    hash: "elsewhere",
    lastUsedTime: "elsewhere",
  },
  named: null,
  ruleset: "scopes",
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

    create: (key: Key, secret: string) => opening(secret).create(key),

    /** With `secret`, the old one opens nothing any more. @throws AppError conflict if no key were left that manages keys */
    async replace(before: Key, after: Key, secret?: string): Promise<Key> {
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

  /** Locks the keys that manage keys, so that of two that are the last not both go at the same time. */
  async function requireAnother({ id }: Key): Promise<void> {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from key where "projectID" = ${projectID} and type = 'CONSOLE' and status = 'active' and scopes @> ${KEY_MANAGEMENT_SCOPES}::text[]
      order by id for update`;
    if (rows.some((row) => row.id !== id)) return;
    throw conflict(
      `Key ${id} is the last active key with the scopes ${KEY_MANAGEMENT_SCOPES.join(" and ")}. Without it, nobody could manage keys.`,
      "scopes",
    );
  }
}

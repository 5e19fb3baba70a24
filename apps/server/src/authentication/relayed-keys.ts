import type { KeyScope } from "../common/context.ts";
import type { Database } from "../store/database/database.ts";
import { reading } from "../store/database/unit-of-work.ts";
import { type ActiveKey, findActiveKeys, findActiveKeysByName, hasKeyWithReach, isExpired, noteUse } from "./active-key-store.ts";
import { isUnavailable } from "./lookups.ts";
import { isSignedBy, readToken } from "./path-tokens.ts";

/** Names a key by the hash of its secret, by its ID, or by a token for a path. */
type KeyReference = { hash?: string; id?: string; token?: string; path?: string };

/** Finds keys of a project for a relay. */
export type RelayedKeys = {
  /** The active key of each reference; undefined if there is none. @throws AppError unavailable */
  find(projectID: string, references: KeyReference[]): Promise<(ActiveKey | undefined)[]>;
  /** Whether an active key of the project has exactly these environments and target apps. @throws AppError unavailable */
  hasReach(projectID: string, reach: Omit<KeyScope, "type">): Promise<boolean>;
};

/** Reaches that keys had are looked up again after this time. */
const REACH_TRUSTED_MS = 10_000;
/** The most reaches in memory. */
const MAX_REACHES = 1_000;

export function createRelayedKeys(database: Database, now: () => number): RelayedKeys {
  /** When each reach was last found, by the monotonic clock, ms; the latest last. */
  const reaches = new Map<string, number>();

  return {
    async hasReach(projectID, { environments, targetApps }) {
      const name = JSON.stringify([projectID, environments.toSorted(), targetApps.toSorted()]);
      const foundAt = reaches.get(name);
      const askedAt = performance.now();
      if (foundAt !== undefined && askedAt - foundAt < REACH_TRUSTED_MS) return true;
      try {
        const isFound = await reading(database, (db) => hasKeyWithReach(db, projectID, { environments, targetApps }));
        reaches.delete(name);
        if (isFound) reaches.set(name, askedAt);
        const [oldest] = reaches.keys();
        if (oldest !== undefined && reaches.size > MAX_REACHES) reaches.delete(oldest);
        return isFound;
      } catch (error) {
        // While the database is away, rulesets in memory are served.
        if (foundAt !== undefined && isUnavailable(error)) return true;
        throw error;
      }
    },

    async find(projectID, references) {
      const hashes = references.flatMap(({ hash }) => hash ?? []);
      const ids = references.flatMap((reference) => idIn(projectID, reference) ?? []);
      const found = await reading(database, async (db) => [
        ...(hashes.length > 0 ? await findActiveKeys(db, hashes) : []),
        ...(ids.length > 0
          ? await findActiveKeysByName(
              db,
              [...new Set(ids)].map((id) => ({ projectID, id })),
            )
          : []),
      ]);
      const time = now();
      const own = found.filter((key) => key.projectID === projectID && !isExpired(key, time));
      // No request depends on this, and the next look-up retries.
      for (const key of own) if (hashes.includes(key.hash)) noteUse(database.db, key, time).catch(() => {});
      const byHash = new Map(own.map((key) => [key.hash, key]));
      const byID = new Map(own.map((key) => [key.id, key]));
      return references.map((reference) => {
        if (reference.hash !== undefined) return byHash.get(reference.hash);
        const key = byID.get(idIn(projectID, reference) ?? "");
        const { token, path = "" } = reference;
        return key && (token === undefined || isSignedBy(key, token, path)) ? key : undefined;
      });
    },
  };
}

/** The database rejects U+0000. */
function idIn(projectID: string, { id, token }: KeyReference): string | undefined {
  const named = token === undefined ? { projectID, keyID: id ?? "" } : readToken(token);
  return named.projectID === projectID && named.keyID !== "" && !named.keyID.includes("\0") ? named.keyID : undefined;
}

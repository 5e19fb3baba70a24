import { createHmac, timingSafeEqual } from "node:crypto";
import type { Credentials } from "../common/context.ts";
import { unauthorized } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { reading } from "../store/database/unit-of-work.ts";
import { hashSecret } from "../tokens/secret.ts";
import { type ActiveKey, findActiveKeysByName, isExpired } from "./active-key-store.ts";
import { type AllowedAddresses, allowedAddresses, type OnForeignAddress } from "./allowed-addresses.ts";
import { toCredentials } from "./key-check.ts";
import { createKeyMemory } from "./key-memory.ts";

export type PathTokens = {
  issue(secret: string, credentials: Credentials, path: string): string;
  /** The credentials of the token's key, for a caller at an address. @throws AppError unauthorized, forbidden */
  open(token: string, path: string, address: string): Promise<Credentials>;
};

/** Longer tokens are rejected without parsing. In characters. */
const MAX_TOKEN_LENGTH = 500;
/** The same message for a missing token, one made for another path, and one of an inactive key. */
export const TOKEN_REQUIRED = "The token of this URL is required in the query.";

/**
 * Tokens that authorize requests of one path instead of a key. A token is the key's id, and the path signed with the key's hash, which only
 * the server knows. So tokens are not stored, and expire with their key.
 */
export function createPathTokens(database: Database, now: () => number, onForeign?: OnForeignAddress): PathTokens {
  const memory = createKeyMemory(find, now, database);
  return {
    issue: issueToken,
    async open(token, path, address) {
      const { projectID, keyID } = readToken(token);
      const key = isPossibleToken(token) ? await memory.get(`${projectID}.${keyID}`) : undefined;
      if (!key || isExpired(key, now()) || !isSignedBy(key, token, path)) throw unauthorized(TOKEN_REQUIRED);
      key.addresses.require(address);
      return toCredentials(key);
    },
  };

  async function find(names: string[]): Promise<Map<string, Known>> {
    const split = names.map((name) => name.split(".")).map(([projectID = "", id = ""]) => ({ projectID, id }));
    const keys = await reading(database, (db) => findActiveKeysByName(db, split));
    return new Map(keys.map((key) => [`${key.projectID}.${key.id}`, { ...key, addresses: allowedAddresses(key, onForeign) }]));
  }
}

type Known = ActiveKey & { addresses: AllowedAddresses };

export function issueToken(secret: string, { projectID, actor }: Credentials, path: string): string {
  return `${projectID}.${actor.id}.${signature(hashSecret(secret), path)}`;
}

export function readToken(token: string): { projectID: string; keyID: string; signature: string } {
  const [projectID = "", keyID = "", signature = ""] = token.split(".");
  return { projectID, keyID, signature };
}

/** False for texts that are not worth a look-up. The database rejects U+0000. */
export function isPossibleToken(token: string): boolean {
  return token !== "" && token.length <= MAX_TOKEN_LENGTH && !token.includes("\0");
}

/** Whether the token authorizes requests of this path with the key. */
export function isSignedBy({ hash }: { hash: string }, token: string, path: string): boolean {
  return isEqual(readToken(token).signature, signature(hash, path));
}

function signature(hash: string, path: string): string {
  return createHmac("sha256", hash).update(path).digest("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { toCredentials } from "../console/keys/key-check.ts";
import { findActiveKeyByID } from "../console/keys/key-check-store.ts";
import { hashSecret } from "../console/keys/secret.ts";
import { AppError } from "../errors.ts";
import type { Database } from "../store/database.ts";
import { reading } from "../store/unit-of-work.ts";
import type { PathTokens } from "./evaluation-handlers.ts";

/**
 * Tokens that stand for a key at one path: who the key is, and the path signed with the key's hash, which only the server knows. So a
 * token needs no place to be kept, and ends with its key.
 */
export function createPathTokens(database: Database): PathTokens {
  return {
    issue: (secret, { projectID, actor }, path) => `${projectID}.${actor.id}.${signature(hashSecret(secret), path)}`,
    async open(token, path) {
      const [projectID = "", keyID = "", given = ""] = token.split(".");
      // The database takes no U+0000.
      const key = token.includes("\0") ? undefined : await reading(database, (db) => findActiveKeyByID(db, projectID, keyID));
      if (!key || !isEqual(given, signature(key.hash, path))) throw unauthorized();
      return toCredentials(key);
    },
  };
}

function signature(hash: string, path: string): string {
  return createHmac("sha256", hash).update(path).digest("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** One text for a token that is missing, made for another path, or of a key that is not active any more. */
function unauthorized(): AppError {
  return new AppError("unauthorized", "A token is needed in the query, as it was answered with the URL.");
}

import { hash } from "node:crypto";
import { randomID } from "../common/identifier.ts";

/** A console key as it is kept: by its hash, so that a copy of the database opens nothing. Times are milliseconds since the epoch. */
export type Key = {
  projectID: string;
  id: string;
  name: string;
  hash: string;
  createdTime: number;
  revokedTime: number | null;
  version: number;
};

/** A random key: 262 bits behind the prefix that says what it opens. */
export function randomConsoleKey(): string {
  return `console-${randomID()}${randomID()}`;
}

export function newKey(projectID: string, name: string, secret: string, now: number): Key {
  return { projectID, id: `key_${randomID()}`, name, hash: hashKey(secret), createdTime: now, revokedTime: null, version: 1 };
}

export function revokeKey(key: Key, now: number): Key {
  return { ...key, revokedTime: now, version: key.version + 1 };
}

/** SHA-256, hex. Keys are random and long, so a slow hash would add nothing. */
export function hashKey(secret: string): string {
  return hash("sha256", secret);
}

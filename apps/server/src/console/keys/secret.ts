import { hash } from "node:crypto";
import type { Schema } from "@gatehouse/contract/console";
import { randomID } from "../common/identifier.ts";

const PREFIXES = { CONSOLE: "console-", SERVER: "secret-", CLIENT: "client-" } satisfies Record<Schema<"KeyType">, string>;

/** The key itself: 262 random bits behind the prefix that says what it is for. */
export function randomSecret(type: Schema<"KeyType">): string {
  return `${PREFIXES[type]}${randomID()}${randomID()}`;
}

/** SHA-256, hex. Keys are random and long, so a slow hash would add nothing. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** Whether a text has the form of a key, where an id may stand too. */
export function isSecret(text: string): boolean {
  return Object.values(PREFIXES).some((prefix) => text.startsWith(prefix));
}

/** What a key may be known by wherever it is not to be shown: `secret-…T7qz` */
export function hintOf(secret: string): string {
  return `${secret.slice(0, secret.indexOf("-") + 1)}…${secret.slice(-4)}`;
}

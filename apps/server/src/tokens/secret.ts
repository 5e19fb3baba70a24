import { hash } from "node:crypto";
import type { Schema } from "@gatehouse/contract/console";
import { randomID } from "../common/identifier.ts";

const PREFIXES = { CONSOLE: "console-", SERVER: "secret-", CLIENT: "client-" } satisfies Record<Schema<"KeyType">, string>;

/** A new secret: 262 random bits after the prefix of its type. */
export function randomSecret(type: Schema<"KeyType">): string {
  return `${PREFIXES[type]}${randomID()}${randomID()}`;
}

/** SHA-256 in hex. Secrets are long and random, so a slow hash would not help. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** Whether a text has the form of a secret instead of an id. */
export function isSecret(text: string): boolean {
  return Object.values(PREFIXES).some((prefix) => text.startsWith(prefix));
}

/** Identifies a secret without showing it: `secret-…T7qz` */
export function hideSecret(secret: string): string {
  return `${secret.slice(0, secret.indexOf("-") + 1)}…${secret.slice(-4)}`;
}

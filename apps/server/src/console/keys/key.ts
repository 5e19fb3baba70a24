import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { conflict, type Violation } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { randomID } from "../common/identifier.ts";
import { namedEach, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import { hintOf, randomSecret } from "./secret.ts";

/** A key as it is answered. */
export type ShownKey = Schema<"Key">;
/** A key as it is kept: without the key itself, of which there is only a hash, and without when it was used, which is no change of it. */
export type Key = Omit<ShownKey, "key" | "lastUsed">;

/** What a key reaches of its project, as names that exist. */
export type Limits = Pick<Key, "environments" | "primaryTargetApp" | "secondaryTargetApps">;
type KeyCreate = Pick<WritableSchema<"KeyCreate">, "type" | "description" | "scopes"> & Partial<Limits>;
type KeyPatch = Pick<WritableSchema<"KeyPatch">, "description" | "scopes"> & Partial<Limits>;

/** A key and the secret that opens what it opens, which is nowhere else. */
export type NewKey = { key: Key; secret: string };

/** A key made from as little as its type. A console key reads, unless its scopes say more. */
export function newKey(given: KeyCreate, context: Context, secret = randomSecret(given.type)): NewKey {
  const { type, description, environments = [], primaryTargetApp = null, secondaryTargetApps = [] } = given;
  const { scopes = type === "CONSOLE" ? ["omni_read_only" as const] : [] } = given;
  const limits = { environments, primaryTargetApp, secondaryTargetApps };
  const hint = hintOf(secret);
  const key: Key = { id: `key_${randomID()}`, hint, type, description, scopes, ...limits, status: "active", ...created(context) };
  return { key, secret };
}

/** The key with the given fields changed. */
export function changeKey(key: Key, given: KeyPatch, context: Context): Key {
  return { ...key, ...given, ...modified(key, context) };
}

export function deactivateKey(key: Key, context: Context): Key {
  return { ...key, status: "deactivated", ...modified(key, context) };
}

/** The key with another secret. @throws AppError conflict for a deactivated one: no secret would open anything */
export function rotateKey(key: Key, context: Context, secret = randomSecret(key.type)): NewKey {
  if (key.status === "deactivated") throw conflict(`Key ${key.id} is deactivated for good. Create another.`);
  return { key: { ...key, hint: hintOf(secret), ...modified(key, context) }, secret };
}

/** Whether the key can make and change keys. */
export function managesKeys({ type, status, scopes }: Key): boolean {
  return type === "CONSOLE" && status === "active" && MANAGING.every((scope) => scopes.includes(scope));
}

/** The scopes that it takes to change keys. */
export const MANAGING = ["omni_read_write", "can_access_keys"] as const;

/** What is wrong with the scopes of a key of this type. */
export function checkScopes(type: Key["type"], scopes: Key["scopes"] | undefined): Violation[] {
  if (scopes === undefined) return [];
  if (type !== "CONSOLE") return scopes.length > 0 ? [{ property: "scopes", errorMessage: `must be empty for a ${type} key` }] : [];
  const reads = scopes.includes("omni_read_only") || scopes.includes("omni_read_write");
  return reads ? [] : [{ property: "scopes", errorMessage: "must have omni_read_only or omni_read_write" }];
}

/** All target apps of a key. */
export function targetAppsOf({ primaryTargetApp, secondaryTargetApps }: Limits): string[] {
  return primaryTargetApp === null ? secondaryTargetApps : [primaryTargetApp, ...secondaryTargetApps];
}

/** What the key names. */
export function namedByKey({ environments, primaryTargetApp, secondaryTargetApps }: Key): Reference[] {
  return [
    ...namedEach("environment", environments, "environments"),
    ...namedOne("target_app", primaryTargetApp, "primaryTargetApp"),
    ...namedEach("target_app", secondaryTargetApps, "secondaryTargetApps"),
  ];
}

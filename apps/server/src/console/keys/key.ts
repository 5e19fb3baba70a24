import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { compileAddresses, readAddressRange } from "../../common/address-ranges.ts";
import type { Context } from "../../common/context.ts";
import { conflict, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { hideSecret, randomSecret } from "../../tokens/secret.ts";
import { checkFuture } from "../common/future.ts";
import { namedEach, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { ADMIN, namedRole } from "../roles/role.ts";

/** A key as responses show it. */
export type ShownKey = Schema<"Key">;
/** A stored key: without its secret (only a hash is stored), and without fields that change beside it. */
export type Key = Omit<ShownKey, "key" | "lastUsed" | "isOrphaned">;

/** The environments and target apps that a key is limited to, by name. */
export type Limits = Pick<Key, "environments" | "primaryTargetApp" | "secondaryTargetApps">;
type Scope = Key["scopes"][number];
type ScopeInput = NonNullable<WritableSchema<"KeyCreate">["scopes"]>[number];
type KeyCreate = Pick<WritableSchema<"KeyCreate">, "type" | "description" | "role" | "allowedAddresses" | "expiresTime"> & {
  scopes?: Scope[];
} & Partial<Limits>;
type KeyPatch = Pick<WritableSchema<"KeyPatch">, "description" | "role" | "allowedAddresses" | "expiresTime"> & {
  scopes?: Scope[];
} & Partial<Limits>;

/** A key and its secret, which is stored nowhere. */
export type NewKey = { key: Key; secret: string };

/** Creates a key. By default a console key can only read, or has the permissions of its role. */
export function newKey(given: KeyCreate, context: Context, secret = randomSecret(given.type)): NewKey {
  const {
    type,
    description,
    role = null,
    allowedAddresses = [],
    expiresTime = null,
    environments = [],
    primaryTargetApp = null,
    secondaryTargetApps = [],
  } = given;
  const { scopes = type === "CONSOLE" ? [role === null ? ("omni_read_only" as const) : ("omni_read_write" as const)] : [] } = given;
  const limits = { environments, primaryTargetApp, secondaryTargetApps };
  const hint = hideSecret(secret);
  const state = { status: "active", expiresTime } as const;
  const key: Key = {
    id: `key_${randomID()}`,
    hint,
    type,
    description,
    scopes,
    ...limits,
    allowedAddresses,
    role,
    ...state,
    ...created(context),
  };
  return { key, secret };
}

/** The key with the given fields changed. */
export function changeKey(key: Key, given: KeyPatch, context: Context): Key {
  return { ...key, ...given, ...modified(key, context) };
}

export function deactivateKey(key: Key, context: Context): Key {
  return { ...key, status: "deactivated", ...modified(key, context) };
}

/** The key with a new secret. @throws AppError conflict if it is deactivated, since no secret would work */
export function rotateKey(key: Key, context: Context, secret = randomSecret(key.type)): NewKey {
  if (key.status === "deactivated") throw conflict(`Key ${key.id} is permanently deactivated. Create another key.`, "status");
  return { key: { ...key, hint: hideSecret(secret), ...modified(key, context) }, secret };
}

/** Whether the key can create and change all keys for good, however custom roles change. */
export function managesKeys(key: Key): boolean {
  const { type, status, scopes, role, expiresTime } = key;
  return (
    type === "CONSOLE" &&
    key.environments.length === 0 &&
    listTargetApps(key).length === 0 &&
    status === "active" &&
    expiresTime === null &&
    (role === null || role === ADMIN) &&
    KEY_MANAGEMENT_SCOPES.every((scope) => scopes.includes(scope))
  );
}

/** The scopes that a key needs to manage keys. */
export const KEY_MANAGEMENT_SCOPES = ["omni_read_write", "can_access_keys"] as const;

/** The type of keys that each scope applies to. */
const TYPE_OF = {
  omni_read_only: "CONSOLE",
  omni_read_write: "CONSOLE",
  can_access_keys: "CONSOLE",
  bypass_reviews: "CONSOLE",
  mcp_write: "CONSOLE",
  client_download_config_specs: "CLIENT",
} satisfies Record<Scope, Key["type"]>;

const WITHOUT_EFFECT: Record<Exclude<ScopeInput, Scope>, string> = {
  none_hash_enabled: "every key may ask for names that are not hashed",
  client_can_write_user_store: "there is no user store",
  personal_read_only: "keys belong to a project, not to a person",
  personal_read_write: "keys belong to a project, not to a person",
};

/**
 * The given scopes of a key of this type, if any.
 * @param violations receives one for each scope without an effect
 */
export function readScopes(type: Key["type"], given: ScopeInput[] | undefined, violations: Violation[]): { scopes?: Scope[] } {
  if (given === undefined) return {};
  for (const [index, scope] of given.entries()) {
    const refuse = (errorMessage: string) => violations.push({ property: `scopes[${index}]`, errorMessage });
    if (!hasEffect(scope)) refuse(`must not be ${scope}, which has no effect here: ${WITHOUT_EFFECT[scope]}`);
    else if (TYPE_OF[scope] !== type) refuse(`must not be ${scope}, which is only for keys of the type ${TYPE_OF[scope]}`);
  }
  const scopes = given.filter(hasEffect);
  if (type === "CONSOLE" && !scopes.includes("omni_read_only") && !scopes.includes("omni_read_write")) {
    violations.push({ property: "scopes", errorMessage: "must have omni_read_only or omni_read_write" });
  }
  if (scopes.includes("mcp_write") && !scopes.includes("omni_read_write")) {
    violations.push({ property: "scopes", errorMessage: "must have omni_read_write if they have mcp_write" });
  }
  return { scopes };
}

function hasEffect(scope: ScopeInput): scope is Scope {
  return scope in TYPE_OF;
}

/** @param violations receives faults of the role of a key of this type */
export function checkRole(type: Key["type"], role: string | null | undefined, violations: Violation[]): void {
  if (type === "CONSOLE" || role === null || role === undefined) return;
  violations.push({ property: "role", errorMessage: `references role ${role}, but only keys of the type CONSOLE have a role` });
}

/**
 * @param before the key's present expiry, which may be sent back after it passed
 * @param violations gets one for an expiry that has passed
 */
export function checkExpiry(expiresTime: number | null | undefined, before: number | null, now: number, violations: Violation[]): void {
  if (expiresTime === null || expiresTime === undefined || expiresTime === before) return;
  checkFuture(expiresTime, now, "expiresTime", violations);
}

/**
 * The addresses and ranges in canonical form, without duplicates.
 * @param violations receives one for each that is invalid
 */
export function readAllowedAddresses(given: string[] | undefined, violations: Violation[]): { allowedAddresses?: string[] } {
  if (given === undefined) return {};
  const ranges = new Set<string>();
  for (const [index, text] of given.entries()) {
    const read = readAddressRange(text);
    if ("range" in read) ranges.add(read.range);
    else violations.push({ property: `allowedAddresses[${index}]`, errorMessage: read.error });
  }
  return { allowedAddresses: [...ranges] };
}

/**
 * Checks that a key does not exclude the address of its own request.
 * @param violations receives one if the request's key would no longer accept its address
 */
export function checkLockout(key: Key, allowed: string[] | undefined, { actor, origin }: Context, violations: Violation[]): void {
  const address = origin?.address ?? "";
  if (allowed === undefined || allowed.length === 0 || actor.id !== key.id || compileAddresses(allowed).includes(address)) return;
  const errorMessage = `must include ${address}, the address of this request, because the request uses this key`;
  violations.push({ property: "allowedAddresses", errorMessage });
}

/** All target apps of a key. */
export function listTargetApps({ primaryTargetApp, secondaryTargetApps }: Limits): string[] {
  return primaryTargetApp === null ? secondaryTargetApps : [primaryTargetApp, ...secondaryTargetApps];
}

/** A key belongs to the environments and target apps that it is limited to. */
export const reachOfKey = {
  environments: { of: (key: Key) => key.environments },
  targetApps: { of: listTargetApps },
};

/** The key's references. */
export function namedByKey({ environments, primaryTargetApp, secondaryTargetApps, role }: Key): Reference[] {
  return [
    ...namedEach("environment", environments, "environments"),
    ...namedOne("target_app", primaryTargetApp, "primaryTargetApp"),
    ...namedEach("target_app", secondaryTargetApps, "secondaryTargetApps"),
    ...namedRole(role, "role"),
  ];
}

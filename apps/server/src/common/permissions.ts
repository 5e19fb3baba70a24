import type { Permission, Scope } from "@gatehouse/contract";
import { permissions as descriptions } from "@gatehouse/contract/console";
import type { Context, Principal } from "./context.ts";
import { forbidden } from "./errors.ts";

/** All permissions, in the order of the contract. */
export const PERMISSIONS = Object.keys(descriptions) as Permission[];

export const EVERY_PERMISSION: ReadonlySet<Permission> = new Set(PERMISSIONS);

/** The permissions that scopes give to a console key. */
export function permissionsOfScopes(scopes: readonly Scope[]): ReadonlySet<Permission> {
  const isGiven = (permission: Permission) => descriptions[permission].scopes.some((set) => set.every((scope) => scopes.includes(scope)));
  return new Set(PERMISSIONS.filter(isGiven));
}

/**
 * Whoever gives permissions has them. A key can also give those that only people have.
 * @throws AppError forbidden, naming the first permission that the caller lacks
 */
export function requireToGive(by: Principal & Pick<Context, "actor">, given: Iterable<Permission>): void {
  const isKey = by.actor.email === null;
  requirePermissions(by, isKey ? [...given].filter((one) => descriptions[one].scopes.length > 0) : given);
}

/** Whether the writes of a key with these scopes need no reviews. */
export function skipsReviews(scopes: readonly Scope[]): boolean {
  return scopes.includes("bypass_reviews");
}

/** @throws AppError forbidden, naming the first permission that the caller lacks */
export function requirePermissions({ permissions, grantedBy }: Principal, needed: Iterable<Permission>): void {
  for (const permission of needed) {
    if (permissions.has(permission)) continue;
    throw forbidden(`the permission ${permission}, which is not given by ${grantedBy}`, permission);
  }
}

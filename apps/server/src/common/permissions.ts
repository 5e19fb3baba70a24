import type { Permission, Scope } from "@gatehouse/contract";
import { permissions as descriptions } from "@gatehouse/contract/console";
import type { Principal } from "./context.ts";
import { forbidden } from "./errors.ts";

/** All permissions, in the order of the contract. */
export const PERMISSIONS = Object.keys(descriptions) as Permission[];

export const EVERY_PERMISSION: ReadonlySet<Permission> = new Set(PERMISSIONS);

/** The permissions that scopes give to a console key. */
export function permissionsOfScopes(scopes: readonly Scope[]): ReadonlySet<Permission> {
  const isGiven = (permission: Permission) => descriptions[permission].scopes.some((set) => set.every((scope) => scopes.includes(scope)));
  return new Set(PERMISSIONS.filter(isGiven));
}

/** @throws AppError forbidden, naming the first permission that the caller lacks */
export function requirePermissions({ permissions, grantedBy }: Principal, needed: Iterable<Permission>): void {
  for (const permission of needed) {
    if (permissions.has(permission)) continue;
    throw forbidden(`the permission ${permission}, which is not given by ${grantedBy}`, permission);
  }
}

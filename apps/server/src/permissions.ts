import type { Permission, Scope } from "@gatehouse/contract";
import { permissions as descriptions } from "@gatehouse/contract/console";
import type { Principal } from "./context.ts";
import { forbidden } from "./errors.ts";

/** Every permission that there is, in the order of the contract. */
export const PERMISSIONS = Object.keys(descriptions) as Permission[];

export const EVERY_PERMISSION: ReadonlySet<Permission> = new Set(PERMISSIONS);

/** What the scopes of a console key permit. */
export function permissionsOfScopes(scopes: readonly Scope[]): ReadonlySet<Permission> {
  const isGiven = (permission: Permission) => descriptions[permission].scopes.some((set) => set.every((scope) => scopes.includes(scope)));
  return new Set(PERMISSIONS.filter(isGiven));
}

/** @throws AppError forbidden for the first that the caller lacks */
export function requirePermissions({ permissions, grantedBy }: Principal, needed: Iterable<Permission>): void {
  for (const permission of needed) {
    if (!permissions.has(permission)) throw forbidden(`the permission ${permission}, which is not given by ${grantedBy}`);
  }
}

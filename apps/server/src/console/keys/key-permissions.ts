import type { Permission, Scope } from "@gatehouse/contract";
import type { KeyType, Principal, WriteLimits } from "../../common/context.ts";
import { permissionsOfScopes } from "../../common/permissions.ts";
import { builtInRole, permittedBy } from "../roles/role.ts";

/** The facts that determine a key's permissions. `rolePermissions` are those of its role, if that is one of the project's own. */
type Deciding = { scopes: readonly Scope[]; role: string | null; rolePermissions: readonly Permission[] | null };
/** The only environments where the role publishes. Null if it publishes everywhere. */
type Publishing = { rolePublishesIn: readonly string[] | null };

/** The facts that limit a key's writes. `targetApps` are names, and `targetAppIDs` the ids of the same apps. */
type Reaching = WriteLimits & { type: KeyType };

/** A key's permissions are those that both its scopes and its role allow; without a role, its scopes alone decide. */
export function principalOfKey(key: Deciding & Reaching & Publishing): Principal {
  const { role, rolePublishesIn } = key;
  const grantedBy = role === null ? "the scopes of the key" : `the scopes of the key and its role ${role} together`;
  const publishing = rolePublishesIn && { environments: rolePublishesIn, grantedBy: `the role ${role}` };
  return { permissions: permissionsOfKey(key), grantedBy, limits: limitsOfKey(key), publishing, administersInstance: false };
}

export function permissionsOfKey({ scopes, role, rolePermissions }: Deciding): ReadonlySet<Permission> {
  const byScopes = permissionsOfScopes(scopes);
  if (role === null) return byScopes;
  const own = builtInRole(role);
  const byRole = own ? permittedBy(own) : (rolePermissions ?? []);
  return new Set(byRole.filter((one) => byScopes.has(one)));
}

function limitsOfKey({ type, expiresTime, ...lists }: Reaching): WriteLimits | null {
  const { environments, targetApps, targetAppIDs, allowedAddresses } = lists;
  const isLimited = [environments, targetApps, allowedAddresses].some((list) => list.length > 0) || expiresTime !== null;
  return type === "CONSOLE" && isLimited ? { environments, targetApps, targetAppIDs, allowedAddresses, expiresTime } : null;
}

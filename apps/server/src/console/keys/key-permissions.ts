import type { Permission, Scope } from "@gatehouse/contract";
import type { Principal } from "../../context.ts";
import { permissionsOfScopes } from "../../permissions.ts";
import { builtInRole, permittedBy } from "../roles/role.ts";

/** What decides what a key may do. `rolePermissions` is what its role permits, where that is one of the project's own. */
type Deciding = { scopes: readonly Scope[]; role: string | null; rolePermissions: readonly Permission[] | null };

/** A key may do what both its scopes and its role permit; without a role, its scopes alone decide. */
export function principalOfKey({ scopes, role, rolePermissions }: Deciding): Principal {
  const byScopes = permissionsOfScopes(scopes);
  if (role === null) return { permissions: byScopes, grantedBy: "the scopes of the key" };
  const own = builtInRole(role);
  const byRole = own ? permittedBy(own) : (rolePermissions ?? []);
  return {
    permissions: new Set(byRole.filter((one) => byScopes.has(one))),
    grantedBy: `the scopes of the key and its role ${role} together`,
  };
}

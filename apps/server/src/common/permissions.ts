import type { Permission, Scope } from "@gatehouse/contract";
import { permissions as descriptions } from "@gatehouse/contract/console";
import type { Context, Principal, Publishing } from "./context.ts";
import { forbidden } from "./errors.ts";
import { listed } from "./words.ts";

/** All permissions, in the order of the contract. */
export const PERMISSIONS = Object.keys(descriptions) as Permission[];

export const EVERY_PERMISSION: ReadonlySet<Permission> = new Set(PERMISSIONS);

/** The permissions that scopes give to a console key. */
export function permissionsOfScopes(scopes: readonly Scope[]): ReadonlySet<Permission> {
  const isGiven = (permission: Permission) => descriptions[permission].scopes.some((set) => set.every((scope) => scopes.includes(scope)));
  return new Set(PERMISSIONS.filter(isGiven));
}

/** The rights that a role or a key gives. `publishesIn` names the only environments where they publish; null means every one. */
export type Rights = { permissions: Iterable<Permission>; publishesIn: readonly string[] | null };

/** The rights of a server administrator. */
export const EVERY_RIGHT: Rights = { permissions: EVERY_PERMISSION, publishesIn: null };

/**
 * A caller who gives permissions has them, and publishes wherever they can be used. A key can also give permissions that only people have.
 * @throws AppError forbidden, naming the first permission that the caller lacks, or the environments where it does not publish
 */
export function requireToGive(by: Principal & Pick<Context, "actor">, { permissions, publishesIn }: Rights): void {
  const isKey = by.actor.email === null;
  const given = [...permissions];
  requirePermissions(by, isKey ? given.filter((one) => descriptions[one].scopes.length > 0) : given);
  const isReader = given.every((one) => descriptions[one].roles.includes("Viewer"));
  if (by.publishing && !isReader) requirePublishing(by.publishing, publishesIn);
}

/** Whether a caller may change what users get in an environment. Evaluation ignores the case of environments. */
export function publishesIn({ publishing }: Pick<Principal, "publishing">, environment: string): boolean {
  return publishing === null || publishing.environments.some((one) => one.toLowerCase() === environment.toLowerCase());
}

/** @throws AppError forbidden unless the caller publishes in these environments; null means every one */
function requirePublishing(publishing: Publishing, environments: readonly string[] | null): void {
  const { grantedBy } = publishing;
  if (environments === null) throw forbidden(`the right to publish in every environment, which is not given by ${grantedBy}`);
  const missing = environments.filter((one) => !publishesIn({ publishing }, one));
  if (missing.length > 0) throw forbidden(`the right to publish in ${listed(missing)}, which is not given by ${grantedBy}`);
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

import type { Permission } from "@gatehouse/contract";
import { permissions as descriptions, type Schema, type WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { PERMISSIONS, type Rights } from "../../common/permissions.ts";
import { namedEach, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type Role = Schema<"Role">;
type RoleCreate = WritableSchema<"RoleCreate">;
type RolePatch = WritableSchema<"RolePatch">;

/** The role with every permission. */
export const ADMIN = "Admin";

/** The roles that every project has. They have no history and cannot be changed. */
export const BUILT_IN_ROLES: readonly Role[] = [
  builtIn(ADMIN, () => true),
  builtIn("Member", (permission) => descriptions[permission].roles.includes("Member")),
  builtIn("Viewer", (permission) => descriptions[permission].roles.includes("Viewer")),
];

function builtIn(name: string, has: (permission: Permission) => boolean): Role {
  const nobody = { creatorID: null, creatorName: null, creatorEmail: null, createdTime: 0 };
  const never = { lastModifierID: null, lastModifierName: null, lastModifierEmail: null, lastModifiedTime: 0, version: 1 };
  return {
    id: name,
    name,
    permissions: Object.fromEntries(PERMISSIONS.map((one) => [one, has(one)])),
    isBuiltIn: true,
    ...nobody,
    ...never,
  };
}

export function builtInRole(name: string): Role | undefined {
  return BUILT_IN_ROLES.find((role) => role.name === name);
}

/** @throws AppError conflict for the name of a built-in role, in any case */
export function newRole({ name, permissions, publishesIn }: RoleCreate, context: Context): Role {
  const taken = BUILT_IN_ROLES.find((role) => role.name.toLowerCase() === name.toLowerCase());
  if (taken) throw conflict(`Role ${taken.name} already exists.`, "name");
  return { id: name, name, permissions: complete(permissions), ...(publishesIn && { publishesIn }), isBuiltIn: false, ...created(context) };
}

/** The role with the given permissions changed. It publishes where it did, unless another place is given. */
export function changeRole(
  { publishesIn: before, ...role }: Role,
  { permissions, publishesIn = before }: RolePatch,
  context: Context,
): Role {
  const changed = { permissions: complete({ ...role.permissions, ...permissions }), ...(publishesIn && { publishesIn }) };
  return { ...role, ...changed, ...modified(role, context) };
}

/** Every permission, in the order of the contract. Missing ones are not permitted. */
function complete(given: Role["permissions"]): Role["permissions"] {
  return Object.fromEntries(PERMISSIONS.map((one) => [one, given[one] ?? false]));
}

/** @throws AppError conflict */
export function requireOwn({ name, isBuiltIn }: Role): void {
  if (isBuiltIn) throw conflict(`Role ${name} is built in and cannot be changed. Create a role of your own.`, "id");
}

/** The permissions of a role. */
export function permittedBy({ permissions }: Role): Permission[] {
  return PERMISSIONS.filter((one) => permissions[one] === true);
}

/** The rights that a role gives. */
export function rightsOf(role: Role): Rights {
  return { permissions: permittedBy(role), publishesIn: role.publishesIn ?? null };
}

/** Whether a changed role publishes where it did not before. */
export function publishesFurther(before: Role, after: Role): boolean {
  const { publishesIn: known } = before;
  return known !== undefined && !(after.publishesIn?.every((one) => known.includes(one)) ?? false);
}

/** The environments that a role names. */
export function namedByRole({ publishesIn = [] }: Role): Reference[] {
  return namedEach("environment", publishesIn, "publishesIn");
}

/** The role at `place`. Built-in roles are not counted, since they cannot be deleted. */
export function namedRole(name: string | null, place: string): Reference[] {
  return name !== null && builtInRole(name) ? [] : namedOne("role", name, place);
}

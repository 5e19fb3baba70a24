import { ADMINISTRATOR, applyRole, findRole, type RoleMapping } from "../accounts/role-mapping.ts";
import { DEFAULT_PROJECT } from "../common/context.ts";
import { AppError } from "../common/errors.ts";
import type { Person } from "../console/people/person.ts";
import { ADMIN } from "../console/roles/role.ts";
import { openStores, type ScimEnv } from "./scim-env.ts";
import { ScimError } from "./scim-error.ts";
import { type Grouped, listGrouped } from "./scim-group-store.ts";

/** The state of a group that decides roles. */
type Named = { displayName: string; members: ReadonlySet<string> };

/** The people whose role can change with a group. `before` is null for a new group, and `after` for a deleted one. */
export function listAffected(before: Named | null, after: Named | null, mapping: RoleMapping): string[] {
  const mapped = [before, after].map((group) => (group && isMapped(group.displayName, mapping) ? group : null));
  const [earlier, later] = mapped.map((group) => group?.members ?? new Set<string>()) as [ReadonlySet<string>, ReadonlySet<string>];
  if (mapped.every((group) => group !== null) && before?.displayName === after?.displayName)
    return [...earlier, ...later].filter((id) => !(earlier.has(id) && later.has(id)));
  return [...new Set([...earlier, ...later])];
}

function isMapped(displayName: string, mapping: RoleMapping): boolean {
  return mapping.some(([name]) => name === displayName);
}

/**
 * Sets the roles that follow from people's current groups.
 * @throws ScimError conflict if it would remove the instance's last active administrator; invalid_request for a missing role
 */
export async function followGroups(personIDs: string[], env: ScimEnv): Promise<void> {
  const { db, context, roles } = env;
  if (!roles || personIDs.length === 0) return;
  const names = roles.map(([name]) => name);
  const { people } = openStores(env);
  const { members } = openStores(env, DEFAULT_PROJECT);
  for (const grouped of await listGrouped(db, personIDs, names, DEFAULT_PROJECT)) {
    const role = findRole(roles, grouped.groups);
    if (hasRole(grouped, role)) continue;
    const { person } = grouped;
    if (person.isAdministrator && role !== ADMINISTRATOR && (await people.isLastAdministrator(person))) throw lastAdministrator(person);
    await applyRole({ people, members }, person, role, context).catch((error: unknown) => {
      throw error instanceof AppError && error.code === "invalid_request" ? ofUnknownRole(role) : error;
    });
  }
}

function hasRole({ person, role: current }: Grouped, role: string | undefined): boolean {
  const isAdministrator = role === ADMINISTRATOR;
  return person.isAdministrator === isAdministrator && current === ((isAdministrator ? ADMIN : role) ?? null);
}

export function lastAdministrator({ email }: Person): ScimError {
  return new ScimError("conflict", `${email} is the last active server administrator. Make somebody else one first.`);
}

function ofUnknownRole(role: string | undefined): ScimError {
  const message = `GATEHOUSE_SCIM_ROLES names the role ${role}, which does not exist in the project ${DEFAULT_PROJECT}. Create the role, or correct the setting.`;
  return new ScimError("invalid_request", message, "invalidValue");
}

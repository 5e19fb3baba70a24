import type { Stamp } from "../console/common/stamp.ts";
import { changeMember, newMember } from "../console/members/member.ts";
import { changePerson, type Person } from "../console/people/person.ts";
import { ADMIN } from "../console/roles/role.ts";
import type { Stores } from "../console/stores.ts";

/** The role in the default project for each value of the identity provider. `administrator` makes people server administrators. */
export type RoleMapping = [value: string, role: string][];

/** The name in a mapping for server administrators. */
export const ADMINISTRATOR = "administrator";

/** The role of the first pair whose value a person has. */
export function findRole(mapping: RoleMapping, values: string[]): string | undefined {
  return mapping.find(([value]) => values.includes(value))?.[1];
}

/** The store of people, and the store of the default project's members. */
type RoleStores = { people: Stores["people"]; members: Stores["members"] };

/**
 * Sets the role that the identity provider decides for a person, and removes any other. The last server administrator remains one.
 * @throws AppError invalid_request if the role does not exist
 */
export async function applyRole({ people, members }: RoleStores, person: Person, role: string | undefined, context: Stamp): Promise<void> {
  const isAdministrator = role === ADMINISTRATOR;
  if (isAdministrator !== person.isAdministrator) {
    const current = await people.get(person.id, { lock: true });
    const mayChange = isAdministrator || !(await people.isLastAdministrator(current));
    if (mayChange) await people.replace(current, changePerson(current, { isAdministrator }, context));
  }
  const member = await members.find(person.id);
  const given = isAdministrator ? ADMIN : role;
  if (given === undefined) return member && members.delete(member);
  if (!member) await members.create(newMember(person, given, context));
  else if (member.role !== given) await members.replace(member, changeMember(member, given, context));
}

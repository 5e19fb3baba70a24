import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { forbidden } from "../../common/errors.ts";
import { created, modified, type Stamp } from "../common/stamp.ts";
import type { Person } from "../people/person.ts";
import type { Reference } from "../reference.ts";
import { BUILT_IN_ROLES, namedRole } from "../roles/role.ts";

/** A person in a project. The person's address, names and state are read again each time. */
export type Member = Schema<"Member">;

type Names = Pick<Person, "firstName" | "lastName">;

export function newMember(person: Person, role: string, context: Stamp): Member {
  return { id: person.id, ...toShown(person), role: roleNamed(role), ...created(context) };
}

/** The member with another role. */
export function changeMember(member: Member, role: string, context: Stamp): Member {
  return { ...member, role: roleNamed(role), ...modified(member, context) };
}

/** The person's fields that a member shows. */
export function toShown({ email, firstName, lastName, isActive }: Person): Names & Pick<Member, "email" | "isActive"> {
  return { email, firstName, lastName, isActive };
}

/** The given names of a person, if they are others. @throws AppError forbidden unless the caller is that person */
export function givenNames(person: Person, given: Partial<Names>, { actor }: Context): Names | undefined {
  const { firstName = person.firstName, lastName = person.lastName } = given;
  if (firstName === person.firstName && lastName === person.lastName) return undefined;
  if (actor.id !== person.id) throw forbidden(`the session of ${person.email}, whose name it is`);
  return { firstName, lastName };
}

/** The member's references. */
export function namedByMember({ role }: Member): Reference[] {
  return namedRole(role, "role");
}

/** Existing clients send the names of built-in roles in any case. */
function roleNamed(given: string): string {
  return BUILT_IN_ROLES.find(({ name }) => name.toLowerCase() === given.toLowerCase())?.name ?? given;
}

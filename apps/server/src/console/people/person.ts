import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Actor, Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { created, modified } from "../common/stamp.ts";

export type Person = Schema<"Person">;
type PersonPatch =
  | WritableSchema<"PersonPatch">
  | Partial<Pick<Person, "email" | "firstName" | "lastName" | "isAdministrator" | "isActive" | "isProvisioned" | "defaultProjectID">>;

/** The person that signs up. */
export type NewPerson = Pick<Person, "email" | "firstName" | "lastName"> &
  Partial<Pick<Person, "isAdministrator" | "isActive" | "isProvisioned">>;

/** A person with an account. Without `by` they make it themselves. */
export function newPerson(given: NewPerson, context: Pick<Context, "now">, by?: Actor): Person {
  const id = randomID();
  const stamp = created({ actor: by ?? toActor({ id, ...given }), now: context.now });
  return { id, isAdministrator: false, isActive: true, isProvisioned: false, ...given, defaultProjectID: null, ...stamp };
}

/** The person with the given fields changed. */
export function changePerson(person: Person, given: PersonPatch, context: Pick<Context, "actor" | "now">): Person {
  return { ...person, ...given, ...modified(person, context) };
}

/** How the change log and other entities name a person. */
export function toActor({ id, email, firstName, lastName }: Pick<Person, "id" | "email" | "firstName" | "lastName">): Actor {
  return { id, name: `${firstName} ${lastName}`.trim() || email, email };
}

/** First and last name, separated by the first space. */
export function splitName(name: string): Pick<Person, "firstName" | "lastName"> {
  const [firstName = "", ...rest] = name.trim().split(/\s+/u);
  return { firstName, lastName: rest.join(" ") };
}

/** @throws AppError conflict for a deactivated person, since tokens do not help them */
export function requireActive({ email, isActive }: Person, property: string): void {
  if (!isActive) throw conflict(`${email} is deactivated. A server administrator can activate them.`, property);
}

export function administers({ isAdministrator, isActive }: Person): boolean {
  return isAdministrator && isActive;
}

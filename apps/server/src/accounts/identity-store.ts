import { INSTANCE_PROJECT } from "../common/context.ts";
import type { Person } from "../console/people/person.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** The person with a provider's subject. */
export async function findByIdentity(db: Db, issuer: string, subject: string): Promise<Person | undefined> {
  const rows = await db.$queryRaw<{ entity: string }[]>`
    select entity from identity join person on "projectID" = ${INSTANCE_PROJECT} and id = "personID"
    where issuer = ${issuer} and subject = ${subject}`;
  return rows[0] && fromText<Person>(rows[0].entity);
}

/** Links a provider's subject to a person. @returns whether it is new: of sign-ins at the same time, the first counts */
export async function linkIdentity(db: Db, issuer: string, subject: string, { id }: Person): Promise<boolean> {
  const inserted = await db.$executeRaw`
    insert into identity (issuer, subject, "personID") values (${issuer}, ${subject}, ${id}) on conflict do nothing`;
  return inserted > 0;
}

import { INSTANCE_PROJECT } from "../common/context.ts";
import type { Person } from "../console/people/person.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** The hash of a person's password. @param email in lower case */
export async function findPassword(db: Db, email: string): Promise<{ person: Person; hash: string } | undefined> {
  const rows = await db.$queryRaw<{ entity: string; hash: string }[]>`
    select entity, hash from person join password on "personID" = id where "projectID" = ${INSTANCE_PROJECT} and email = ${email}`;
  return rows[0] && { person: fromText<Person>(rows[0].entity), hash: rows[0].hash };
}

/** Locks a person's password until the transaction ends. @returns whether it still has this hash */
export async function holdPassword(db: Db, { id }: Person, hash: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`select 1 from password where "personID" = ${id} and hash = ${hash} for update`;
  return rows.length > 0;
}

/** Removes a person's password, with the next statement of the transaction. */
export function deletePassword(db: Db, { id }: Person): void {
  db.$defer(Prisma.sql`delete from password where "personID" = ${id}`);
}

/** Sets or replaces a person's password, with the next statement of the transaction. */
export function setPassword(db: Db, { id }: Person, hash: string, now: number): void {
  db.$defer(Prisma.sql`
    insert into password ("personID", hash, "changedTime") values (${id}, ${hash}, ${now})
    on conflict ("personID") do update set hash = excluded.hash, "changedTime" = excluded."changedTime"`);
}

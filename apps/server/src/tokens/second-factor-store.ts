import { Prisma } from "../generated/prisma/client.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** The second factors of a person. Recovery codes alone are not a second factor. */
export type FactorCounts = { totp: boolean; passkeys: number; recoveryCodes: number };

/** The condition that a person has a second factor. @param personID a column */
export function hasSecondFactor(personID: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    exists (select 1 from totp where totp."personID" = ${personID} and totp."confirmedTime" is not null)
    or exists (select 1 from passkey where passkey."personID" = ${personID})
  )`;
}

export async function countSecondFactors(db: Db, personID: string): Promise<FactorCounts> {
  const [counts] = await db.$queryRaw<[FactorCounts]>`
    select exists (select 1 from totp where "personID" = ${personID} and "confirmedTime" is not null) as totp,
      (select count(*) from passkey where "personID" = ${personID})::int as passkeys,
      (select count(*) from recovery_code where "personID" = ${personID})::int as "recoveryCodes"`;
  return counts;
}

/** Removes all second factors of a person, including an app that is being set up. @returns whether any existed */
export async function deleteSecondFactors(db: Db, personID: string): Promise<boolean> {
  const [found] = await db.$queryRaw<[{ count: number }]>`
    with apps as (delete from totp where "personID" = ${personID} returning 1),
    keys as (delete from passkey where "personID" = ${personID} returning 1),
    codes as (delete from recovery_code where "personID" = ${personID} returning 1)
    select ((select count(*) from apps) + (select count(*) from keys) + (select count(*) from codes))::int as count`;
  return found.count > 0;
}

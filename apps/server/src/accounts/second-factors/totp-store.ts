import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";

/** An authenticator app. Its secret is encrypted. */
export type Totp = { secret: string; createdTime: number; confirmedTime: number | null };

export async function findTotp(db: Db, personID: string): Promise<Totp | undefined> {
  const [row] = await db.$queryRaw<{ secret: string; createdTime: bigint; confirmedTime: bigint | null }[]>`
    select secret, "createdTime", "confirmedTime" from totp where "personID" = ${personID}`;
  if (!row) return undefined;
  const { secret, createdTime, confirmedTime } = row;
  return { secret, createdTime: Number(createdTime), confirmedTime: confirmedTime === null ? null : Number(confirmedTime) };
}

/** Stores an app that is not confirmed yet, and replaces an earlier unconfirmed one. @returns false if the person has a confirmed app */
export async function startTotp(db: Db, personID: string, secret: string, now: number): Promise<boolean> {
  const stored = await db.$executeRaw`
    insert into totp ("personID", secret, "createdTime", "lastStep") values (${personID}, ${secret}, ${now}, 0)
    on conflict ("personID") do update set secret = excluded.secret, "createdTime" = excluded."createdTime" where totp."confirmedTime" is null`;
  return stored > 0;
}

/** Confirms the app with this secret. @param step of the code. @returns false if the app was confirmed before or has another secret */
export async function storeConfirmation(db: Db, personID: string, secret: string, step: number, now: number): Promise<boolean> {
  const confirmed = await db.$executeRaw`
    update totp set "confirmedTime" = ${now}, "lastStep" = ${step}
    where "personID" = ${personID} and secret = ${secret} and "confirmedTime" is null`;
  return confirmed > 0;
}

/** Uses up the code of a step and all earlier codes. @returns whether it was not used yet. Of concurrent requests, one succeeds */
export async function useStep(db: Db, personID: string, secret: string, step: number): Promise<boolean> {
  const used = await db.$executeRaw`
    update totp set "lastStep" = ${step}
    where "personID" = ${personID} and secret = ${secret} and "confirmedTime" is not null and "lastStep" < ${step}`;
  return used > 0;
}

/** @returns whether the person had a confirmed app */
export async function deleteTotp(db: Db, personID: string): Promise<boolean> {
  return (await db.$executeRaw`delete from totp where "personID" = ${personID} and "confirmedTime" is not null`) > 0;
}

/** Deletes unconfirmed apps whose set-up was started before a time. */
export async function deleteAbandonedTotp(db: Db, before: number): Promise<void> {
  await db.$executeRaw(Prisma.sql`delete from totp where "confirmedTime" is null and "createdTime" <= ${before}`);
}

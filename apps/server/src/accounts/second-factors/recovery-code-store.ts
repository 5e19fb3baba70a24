import type { Db } from "../../store/database/unit-of-work.ts";

/** Stores the hashes of new codes in place of all others of the person. */
export async function replaceRecoveryCodes(db: Db, personID: string, hashes: string[]): Promise<void> {
  await deleteRecoveryCodes(db, personID);
  await db.$executeRaw`insert into recovery_code ("personID", hash) select ${personID}, unnest(${hashes}::text[])`;
}

/** Uses up a code. @returns whether the person had it. Of concurrent requests, one succeeds */
export async function useRecoveryCode(db: Db, personID: string, hash: string): Promise<boolean> {
  return (await db.$executeRaw`delete from recovery_code where "personID" = ${personID} and hash = ${hash}`) > 0;
}

export async function deleteRecoveryCodes(db: Db, personID: string): Promise<void> {
  await db.$executeRaw`delete from recovery_code where "personID" = ${personID}`;
}

import type { Db } from "../../store/database/unit-of-work.ts";

/** How long a challenge works. */
export const CHALLENGE_MS = 5 * 60 * 1000;

/** The purpose of a challenge. Challenges for a sign-in have no session. */
export type ChallengeUse = { purpose: "sign_in"; sessionID: null } | { purpose: "confirmation" | "creation"; sessionID: string };

/** Repeatable. */
export async function storeChallenge(db: Db, challenge: string, { purpose, sessionID }: ChallengeUse, now: number): Promise<void> {
  await db.$executeRaw`
    insert into passkey_challenge (challenge, purpose, "sessionID", "endsTime")
    values (${challenge}, ${purpose}, ${sessionID}, ${now + CHALLENGE_MS}) on conflict do nothing`;
}

/** Uses up a challenge. @returns whether it works for this purpose. Of concurrent requests, one succeeds */
export async function takeChallenge(db: Db, challenge: string, { purpose, sessionID }: ChallengeUse, now: number): Promise<boolean> {
  const taken = await db.$executeRaw`
    delete from passkey_challenge where challenge = ${challenge} and purpose = ${purpose}
      and "sessionID" is not distinct from ${sessionID} and "endsTime" > ${now}`;
  return taken > 0;
}

export async function deleteEndedChallenges(db: Db, now: number): Promise<void> {
  await db.$executeRaw`delete from passkey_challenge where "endsTime" <= ${now}`;
}

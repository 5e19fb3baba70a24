import { INSTANCE_PROJECT } from "../common/context.ts";
import { HOUR_MS } from "../common/utc-day.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { type EmailKind, RESET_REQUEST } from "../store/emails/outbox.ts";
import { leaseWrites } from "../store/requests/write-lease.ts";

/** An email that this server sends. No other server does before the end of the lease. */
export type Claimed = {
  id: string;
  kind: EmailKind;
  projectID: string;
  personID: string | null;
  tokenID: string | null;
  content: string;
  createdTime: number;
  attempts: number;
  isCounted: boolean;
  leasedUntil: number;
};

/** Emails that one server sends at once. */
const MAX_AT_ONCE = 10;
/** Another server sends an email if this one has not noted an outcome for so long. Longer than that many emails take. */
const LEASE_MS = 5 * 60 * 1_000;

/** Emails to a person in an hour. */
const MAX_TO_PERSON = 50;
/** Invitations to a person in a day, and of a project in a day. */
const MAX_INVITATIONS_TO_PERSON = 10;
const MAX_INVITATIONS_OF_PROJECT = 1_000;

/** Takes over the next emails that are due, the oldest first. */
export async function claimDue(db: Db, now: number): Promise<Claimed[]> {
  const leasedUntil = now + LEASE_MS;
  const rows = await db.$queryRaw<(Claimed & { createdTime: bigint })[]>`
    update email set "dueTime" = ${leasedUntil} where id in (
      select id from email where "dueTime" <= ${now} and kind <> ${RESET_REQUEST} order by "dueTime", id limit ${MAX_AT_ONCE} for update skip locked
    ) returning id, kind, "projectID", "personID", "tokenID", content, "createdTime", attempts, "isCounted"`;
  return rows.map((row) => ({ ...row, createdTime: Number(row.createdTime), leasedUntil })).sort((a, b) => a.createdTime - b.createdTime);
}

/** Takes the oldest password reset request out of the outbox, in the transaction that answers it. */
export async function takeResetRequest(db: Db): Promise<{ id: string; content: string } | undefined> {
  const [row] = await db.$queryRaw<{ id: string; content: string }[]>`
    delete from email where id = (
      select id from email where kind = ${RESET_REQUEST} order by "dueTime", id limit 1 for update skip locked
    ) returning id, content`;
  return row;
}

/**
 * The address of a recipient. Undefined if they should no longer get the email: they were deactivated, have left the project, or the link of the
 * email no longer works.
 */
export async function findAddress(db: Db, { kind, projectID, personID, tokenID }: Claimed, now: number): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ email: string }[]>`
    select email from person where "projectID" = ${INSTANCE_PROJECT} and id = ${personID} and "isActive" and case ${kind}
      when 'notification' then exists (select from project where project.id = ${projectID} and "deletedTime" is null) and (
        "isAdministrator" or exists (select from member where member."projectID" = ${projectID} and member.id = person.id)
      ) else exists (select from one_time_token as token where token.id = ${tokenID} and "endsTime" > ${now})
    end`;
  return row?.email;
}

/** Counts an email and notes that, in a transaction, unless its recipient or its project has had too many. @returns whether it can be sent */
export async function countEmail(db: Db, { id, kind, projectID, personID }: Claimed): Promise<boolean> {
  const take = async (name: string, limit: number, windowMs: number) => {
    const writer = { projectID: INSTANCE_PROJECT, actor: { id: name } };
    return (await leaseWrites(db, writer, { limit, windowMs, wanted: 1 })).granted > 0;
  };
  if (kind === "invitation") {
    if (!(await take(`invitations to ${personID}`, MAX_INVITATIONS_TO_PERSON, 24 * HOUR_MS))) return false;
    if (!(await take(`invitations to the project ${projectID}`, MAX_INVITATIONS_OF_PROJECT, 24 * HOUR_MS))) return false;
  }
  if (!(await take(`emails to ${personID}`, MAX_TO_PERSON, HOUR_MS))) return false;
  await db.$executeRaw`update email set "isCounted" = true where id = ${id}`;
  return true;
}

/** Removes an email that was sent or never will be. */
export async function remove(db: Db, { id }: Pick<Claimed, "id">): Promise<void> {
  await db.$executeRaw`delete from email where id = ${id}`;
}

/** Tries an email again at a time, ms, unless another server has taken it over. @param attempts that are counted */
export async function postpone(db: Db, { id, leasedUntil }: Claimed, dueTime: number, attempts: number): Promise<void> {
  await db.$executeRaw`update email set "dueTime" = ${dueTime}, attempts = ${attempts} where id = ${id} and "dueTime" = ${leasedUntil}`;
}

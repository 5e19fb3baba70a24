import { INSTANCE_PROJECT } from "../../common/context.ts";
import type { EmailContent } from "../../common/email-content.ts";
import { randomID } from "../../common/identifier.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../database/unit-of-work.ts";

/** The most emails of a project that wait. Further ones are not sent. */
const MAX_WAITING = 10_000;
/** The most password reset requests that wait. Strangers can make them, so they don't take the places of emails. */
const MAX_WAITING_REQUESTS = 1_000;

/** The kind of rows that are requests, and no emails yet. */
export const RESET_REQUEST = "password_reset_request";

export type EmailKind = "invitation" | "notification" | "password_reset";

/** An email to a person. If it has the link of a one-time token, it is sent only while the token exists. */
export type NewEmail = { kind: EmailKind; personID: string; tokenID?: string; content: EmailContent };

/**
 * Stores emails with the next statement of the transaction. A job sends them after the commit.
 * @returns whether they are stored. Not if the server sends no email, or too many wait, which is logged
 */
export function queueEmails(db: Db, projectID: string, emails: readonly NewEmail[], now: number): Promise<boolean> {
  const texts = emails.map(({ content, ...email }) => ({ ...email, text: JSON.stringify(content) }));
  return queue(db, projectID, texts, now);
}

/** Stores a password reset request with the next statement of the transaction, unless too many wait. A job answers it with an email, or not. */
export async function queueResetRequest(db: Db, text: string, now: number): Promise<void> {
  await queue(db, INSTANCE_PROJECT, [{ kind: RESET_REQUEST, personID: null, text }], now);
}

type Queued = { kind: string; personID: string | null; tokenID?: string; text: string };

async function queue(db: Db, projectID: string, emails: readonly Queued[], now: number): Promise<boolean> {
  const { emails: server } = db;
  const [first] = emails;
  if (!server || !first) return false;
  if (await isFull(db, projectID, first.kind === RESET_REQUEST)) {
    server.noteDropped({ projectID, kind: first.kind, count: emails.length });
    return false;
  }
  const rows = emails.map(({ kind, personID, tokenID = null, text }) => {
    const id = randomID();
    return Prisma.sql`(${id}, ${kind}, ${personID}::text, ${tokenID}::text, ${server.encrypt(id, text)})`;
  });
  db.$defer(Prisma.sql`
    insert into email (id, kind, "projectID", "personID", "tokenID", content, "createdTime", "dueTime")
    select id, kind, ${projectID}, "personID", "tokenID", content, ${now}::bigint, ${now}::bigint
    from (values ${Prisma.join(rows)}) as new (id, kind, "personID", "tokenID", content)`);
  return true;
}

async function isFull(db: Db, projectID: string, isRequest: boolean): Promise<boolean> {
  const [limit, ofKind] = isRequest
    ? [MAX_WAITING_REQUESTS, Prisma.sql`kind = ${RESET_REQUEST}`]
    : [MAX_WAITING, Prisma.sql`kind <> ${RESET_REQUEST}`];
  const rows = await db.$queryRaw`select 1 from email where "projectID" = ${projectID} and ${ofKind} offset ${limit - 1} limit 1`;
  return (rows as unknown[]).length > 0;
}

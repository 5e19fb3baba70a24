import { INSTANCE_PROJECT } from "../../common/context.ts";
import type { EmailContent } from "../../common/email-content.ts";
import { randomID } from "../../common/identifier.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../database/unit-of-work.ts";

/** The most emails of a project that wait. Further ones are not sent. */
const MAX_WAITING = 10_000;

/** The kind of rows that are requests, and no emails yet. */
export const RESET_REQUEST = "password_reset_request";

export type EmailKind = "invitation" | "notification" | "password_reset";

/** An email to a person. If it has the link of a one-time token, it is sent only while the token exists. */
export type NewEmail = { kind: EmailKind; personID: string; tokenID?: string; content: EmailContent };

/** Stores emails with the next statement of the transaction. A job sends them after the commit. Does nothing if the server sends no email. */
export function queueEmails(db: Db, projectID: string, emails: readonly NewEmail[], now: number): void {
  const texts = emails.map(({ content, ...email }) => ({ ...email, text: JSON.stringify(content) }));
  queue(db, projectID, texts, now);
}

/** Stores a password reset request with the next statement of the transaction. A job answers it with an email, or not. */
export function queueResetRequest(db: Db, text: string, now: number): void {
  queue(db, INSTANCE_PROJECT, [{ kind: RESET_REQUEST, personID: null, text }], now);
}

type Queued = { kind: string; personID: string | null; tokenID?: string; text: string };

function queue(db: Db, projectID: string, emails: readonly Queued[], now: number): void {
  const { emails: server } = db;
  if (!server || emails.length === 0) return;
  const rows = emails.map(({ kind, personID, tokenID = null, text }) => {
    const id = randomID();
    return Prisma.sql`(${id}, ${kind}, ${personID}::text, ${tokenID}::text, ${server.encrypt(id, text)})`;
  });
  db.$defer(Prisma.sql`
    insert into email (id, kind, "projectID", "personID", "tokenID", content, "createdTime", "dueTime")
    select id, kind, ${projectID}, "personID", "tokenID", content, ${now}::bigint, ${now}::bigint
    from (values ${Prisma.join(rows)}) as new (id, kind, "personID", "tokenID", content)
    where (select count(*) from (select from email where "projectID" = ${projectID} limit ${MAX_WAITING}) as waiting) < ${MAX_WAITING}`);
}

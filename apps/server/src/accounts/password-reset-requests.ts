import { INSTANCE_PROJECT, type Origin } from "../common/context.ts";
import { normalizeEmail } from "../common/email.ts";
import { AppError } from "../common/errors.ts";
import { passwordResetEmail } from "../console/people/token-email.ts";
import { recordAuditEvent } from "../store/change-log/audit-event.ts";
import { type Db, writing } from "../store/database/unit-of-work.ts";
import { queueEmails, queueResetRequest } from "../store/emails/outbox.ts";
import { countRequestedResets, createToken } from "../tokens/token-store.ts";
import { welcomeLink } from "../tokens/welcome-link.ts";
import type { AccountEnv } from "./account-env.ts";
import { countResetRequest } from "./attempts.ts";
import { NOBODY } from "./note-session.ts";
import { findPassword, holdPassword } from "./password-store.ts";
import { requirePasswords } from "./sign-in.ts";

/** How long a link works that someone requested by an address. */
const LINK_HOURS = 1;
/** Links that a person can be sent in that time. All of them work, so that others can't make a link useless by requesting another one. */
const MAX_LINKS = 3;

const NO_EMAIL =
  "This server does not send email. Ask an administrator for a password reset link. The operator can set up email with GATEHOUSE_SMTP_URL.";

/**
 * Stores a password reset request. A job answers it: so the work, and the time that it takes, don't depend on whether the person exists.
 * @throws AppError forbidden, not_found, too_many_requests, unavailable
 */
export async function requestReset(given: string, env: AccountEnv): Promise<void> {
  requirePasswords(env);
  if (!env.database.db.emails) throw new AppError("not_found", NO_EMAIL);
  const email = normalizeEmail(given);
  await countResetRequest(env.database, email, env.origin.address);
  const request: ResetRequest = { email, origin: env.origin };
  await writing(env.database, (db) => queueResetRequest(db, JSON.stringify(request), env.now));
}

type ResetRequest = { email: string; origin: Origin };

/**
 * Answers a request with an email, if the address belongs to an active person who has a password.
 * @returns the ID of a person who was sent too many
 */
export async function answerResetRequest(db: Db, text: string, now: number): Promise<string | undefined> {
  const { email, origin }: ResetRequest = JSON.parse(text);
  const found = await findPassword(db, email);
  if (!found?.person.isActive || !(await holdPassword(db, found.person, found.hash))) return undefined;
  const { id: personID } = found.person;
  if ((await countRequestedResets(db, personID, now)) >= MAX_LINKS) return personID;
  const { id: tokenID, secret } = createToken(db, "password_reset", personID, now, {
    ...{ projectID: null, isByAdministrator: false, hours: LINK_HOURS },
  });
  const content = passwordResetEmail({ path: welcomeLink("", secret), hours: LINK_HOURS }, true);
  if (!(await queueEmails(db, INSTANCE_PROJECT, [{ kind: "password_reset", personID, tokenID, content }], now))) return undefined;
  await recordAuditEvent(db, {
    ...{ projectID: INSTANCE_PROJECT, actor: NOBODY, operationID: "requestPasswordReset", now, origin },
    ...{ entityType: "session", entityID: personID, reason: `Requested a password reset link, which is emailed to ${email}.` },
  });
  return undefined;
}

import { answerResetRequest } from "../accounts/password-reset-requests.ts";
import type { EmailContent } from "../common/email-content.ts";
import type { Mailer, SendOutcome } from "../store/database/emails.ts";
import { type Db, reading, repeating, writing } from "../store/database/unit-of-work.ts";
import { type Claimed, claimDue, countEmail, findAddress, postpone, remove, takeResetRequest } from "./emails-store.ts";
import type { Job, JobEnv } from "./jobs.ts";

/** While the SMTP server accepts no email, it is asked again after this time, ms. */
const PAUSE_MS = 30_000;
/** The first delay of an email that the SMTP server will take later, ms. It doubles each time, up to an hour. */
const FIRST_DELAY_MS = 60_000;
const MAX_DELAY_MS = 60 * 60 * 1_000;
/** Password reset requests that are answered before the next emails are sent. */
const MAX_ANSWERED = 20;
/** An email is tried for so long, ms. */
const TRIED_MS = 24 * 60 * 60 * 1_000;

/** Sends the emails of the outbox. A run lasts as long as it finds any. */
export function emails(): Job {
  let pausedUntil = 0;
  return {
    name: "emails",
    intervalMs: 1_000,
    async run(env) {
      const { database, log, now, stopping } = env;
      const { emails: server } = database.db;
      if (!server) return;
      let mailer: Mailer | undefined;
      try {
        while (!stopping?.aborted) {
          const hasMoreRequests = await answerResetRequests(env);
          if (now() < pausedUntil) return;
          const claimed = await repeating(database, (db: Db) => claimDue(db, now()));
          if (claimed.length === 0 && !hasMoreRequests) return;
          if (claimed.length === 0) continue;
          mailer ??= await server.open();
          const open = mailer;
          const outcomes = await Promise.all(claimed.map((one) => deliver(env, open, one)));
          const cause = await noteUnreachable(env, claimed, outcomes);
          if (cause === undefined) continue;
          pausedUntil = now() + PAUSE_MS;
          log.warn({ cause }, "The SMTP server accepts no email. Emails wait, and are tried again soon.");
          return;
        }
      } finally {
        mailer?.close();
      }
    },
  };
}

/**
 * Queues the emails that answer password reset requests, even while the SMTP server is away, so that requests don't pile up.
 * @returns whether more may wait
 */
async function answerResetRequests({ database, log, now, stopping, instruments }: JobEnv): Promise<boolean> {
  for (let answered = 0; answered < MAX_ANSWERED; answered++) {
    if (stopping?.aborted) return false;
    const { isLast, limited: personID } = await writing(database, async (db) => {
      const request = await takeResetRequest(db);
      const text = request && database.db.emails?.decrypt(request.id, request.content);
      return { isLast: !request, limited: text === undefined ? undefined : await answerResetRequest(db, text, now()) };
    });
    if (isLast) return false;
    if (personID === undefined) continue;
    log.warn({ personID }, "A person was sent too many password reset links that were requested. One is not sent.");
    instruments?.emails.inc({ outcome: "limited" });
  }
  return true;
}

/** Makes an attempt, and notes its outcome if the SMTP server answered. @returns the outcome, if there was an attempt */
async function deliver(env: JobEnv, mailer: Mailer, one: Claimed): Promise<SendOutcome | undefined> {
  const { log } = env;
  try {
    const email = await prepare(env, one);
    if (!email) return undefined;
    const outcome = await mailer.send(email);
    if (outcome.status !== "unreachable") await note(env, one, outcome);
    return outcome;
  } catch (err) {
    log.warn({ err, emailID: one.id }, "An email could not be sent. It will be tried again.");
    return undefined;
  }
}

/** Reads an email before its attempt. Removes it if it should not be sent. */
async function prepare({ database, log, now, instruments }: JobEnv, one: Claimed) {
  const { id, kind, createdTime: time } = one;
  const to = await reading(database, (db: Db) => findAddress(db, one, now()));
  const text = database.db.emails?.decrypt(id, one.content);
  const isLimited = to !== undefined && text !== undefined && !one.isCounted && !(await writing(database, (db) => countEmail(db, one)));
  if (to !== undefined && text !== undefined && !isLimited) return { id, to, time, content: JSON.parse(text) as EmailContent };
  if (to !== undefined && text === undefined)
    log.warn({ emailID: id, kind }, "An email was encrypted with another GATEHOUSE_SECRET_KEY. It is not sent.");
  if (isLimited) {
    log.warn({ emailID: id, kind, personID: one.personID }, "A person or a project has had too many emails. One is not sent.");
    instruments?.emails.inc({ outcome: "limited" });
  }
  await repeating(database, (db: Db) => remove(db, one));
  return undefined;
}

/**
 * Notes the emails that a batch could not send. If the server answered about others of the batch, it is not away: these emails fail by
 * themselves, so their attempts count, and they hold up no others.
 * @returns why the server is away, if it is
 */
async function noteUnreachable(
  env: JobEnv,
  claimed: readonly Claimed[],
  outcomes: readonly (SendOutcome | undefined)[],
): Promise<string | undefined> {
  const isAway = outcomes.every((outcome) => outcome === undefined || outcome.status === "unreachable");
  let cause: string | undefined;
  for (const [index, one] of claimed.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== "unreachable") continue;
    cause = outcome.reason;
    await note(env, one, isAway ? outcome : { ...outcome, status: "delayed" });
  }
  return isAway ? cause : undefined;
}

async function note({ database, log, now, instruments }: JobEnv, one: Claimed, outcome: SendOutcome): Promise<void> {
  const { id: emailID, kind, attempts, createdTime } = one;
  if (outcome.status === "sent") {
    instruments?.emails.inc({ outcome: "sent" });
    return repeating(database, (db: Db) => remove(db, one));
  }
  const isCounted = outcome.status === "delayed";
  const delay = isCounted ? Math.min(FIRST_DELAY_MS * 2 ** attempts, MAX_DELAY_MS) : PAUSE_MS;
  const next = now() + delay;
  if (outcome.status !== "refused" && next < createdTime + TRIED_MS)
    return repeating(database, (db: Db) => postpone(db, one, next, attempts + (isCounted ? 1 : 0)));
  const isRefused = outcome.status === "refused";
  instruments?.emails.inc({ outcome: isRefused ? "refused" : "expired" });
  const message = isRefused ? "The SMTP server refused an email. It is not sent." : "An email could not be sent for a day. It is not sent.";
  log.warn({ emailID, kind, cause: outcome.reason }, message);
  return repeating(database, (db: Db) => remove(db, one));
}

import type { Logger } from "pino";
import type { PermittedContext, Provisioning } from "../common/context.ts";
import { AppError, conflict, STATUS } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import { approversOf } from "../console/reviews/requirement.ts";
import { applied, failed, occurrenceAfter, type ScheduledChange } from "../console/scheduled-changes/scheduled-change.ts";
import { type Due, findDueChanges } from "../console/scheduled-changes/scheduled-change-store.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog, type Entry } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { isOutdated } from "../store/database/migrate.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { contextOfAuthor, scheduledBy } from "./author.ts";
import { requireSameEffect, requireWithinApproved, toEffect } from "./effect.ts";
import type { Executor } from "./executor.ts";
import { settle } from "./foresee.ts";
import { needsReview, requirePublished } from "./publishing.ts";

type Env = {
  database: Database;
  executor: Executor;
  log: Logger;
  now: () => number;
  provisioning?: Provisioning | undefined;
  stopping?: AbortSignal | undefined;
};

/** Makes every change that is due. Any number of servers may do so at once: each change is made by one of them. */
export async function applyDueChanges(env: Env): Promise<void> {
  const tried: string[] = [];
  for (;;) {
    const due = await reading(env.database, (db) => findDueChanges({ db }, env.now(), tried));
    if (due.length === 0) return;
    for (const one of due) {
      if (env.stopping?.aborted) return;
      tried.push(one.id);
      await applyOne(env, one);
    }
  }
}

/** Whether another request wrote the same entity at the same time. The next attempt compares the effect with what it wrote. */
function isOvertaken({ code, violations }: AppError): boolean {
  return code === "conflict" && violations?.[0]?.property.endsWith("version") === true;
}

/** Whether a change may be refused only because a newer server stored it, which accepts more. Newer servers make it. */
async function isOfNewerServer(database: Database, { code }: AppError): Promise<boolean> {
  return code === "invalid_request" && (await isOutdated(database).catch(() => true));
}

/** The message of a change that failed through a fault of the server. */
const INTERNAL = "The server failed to apply the change. Its log has the cause, under the ID of the change.";

/**
 * Makes a change and marks it as made, in one transaction. If that is impossible, marks it as failed, in another. A fault of the database
 * leaves it as it is, to be tried again.
 */
async function applyOne(env: Env, due: Due): Promise<void> {
  const { database, log, executor } = env;
  const about = { projectID: due.projectID, scheduledChange: due.id };
  try {
    await executor.withLatestProject(due.projectID, (isLastAttempt) => writing(database, (db) => make(env, db, due, isLastAttempt)));
  } catch (err) {
    const isOfRequest = err instanceof AppError && STATUS[err.code] < 500;
    if (err instanceof AppError && (!isOfRequest || isOvertaken(err) || (await isOfNewerServer(database, err))))
      return log.warn({ err, ...about }, "A scheduled change will be tried again.");
    if (isOfRequest) log.info({ ...about, code: err.code, reason: err.message }, "A scheduled change failed.");
    else log.error({ err, ...about }, "A scheduled change failed.");
    const error = isOfRequest ? err : { code: "internal" as const, message: INTERNAL };
    await writing(database, (db) => giveUp(env, db, due, error)).catch((cause: unknown) =>
      log.warn({ err: cause, ...about }, "A scheduled change will be tried again."),
    );
  }
}

async function make({ executor, now: clock, provisioning }: Env, db: Db, { projectID, id }: Due, isLastAttempt: boolean): Promise<void> {
  const now = clock();
  const { stores, context } = storesOf(db, projectID, now);
  const change = await stores.scheduledChanges.lockDue(id, now);
  if (!change) return;
  const by = await contextOfAuthor(db, scheduledBy(change), { projectID, now, provisioning });
  // Its If-Match was compared when it was scheduled. The expected versions stand for it now.
  const prepared = await executor.prepare({ ...change, ifMatch: null }, by);
  const entries = await prepared.run({ db, context: by });
  await settle(db);
  const actual = { effect: toEffect(entries), now };
  // Other changes of a gate that is enabled every morning must not stop it. An approval still covers only what the reviewer saw.
  if (!change.repeat) requireSameEffect({ effect: change, now: change.createdTime }, actual, "scheduled");
  else if (change.reviewID !== undefined) requireWithinApproved({ effect: change, now: change.createdTime }, actual);
  await requireNoReview(executor, change, entries, { db, context: by, isLastAttempt });
  await end(stores, change, applied(change, context), context);
}

/**
 * @throws AppError conflict if a setting that was made since then asks for a review; forbidden if the author no longer publishes where the change
 * counts, unless a publisher has approved it
 */
async function requireNoReview(
  { findRequirements }: Executor,
  { reviewID, approvedEnvironments = [] }: ScheduledChange,
  entries: readonly Entry[],
  work: { db: Db; context: PermittedContext; isLastAttempt: boolean },
): Promise<void> {
  const found = await findRequirements(entries, { ...work, skipsReviews: reviewID !== undefined });
  const requirements = found.filter(({ kind, name }) => kind !== "PUBLISH" || !approvedEnvironments.includes(name));
  if (needsReview(requirements)) throw conflict(`The change needs a review now. Request it again. ${approversOf(requirements)}`, "applyAt");
  requirePublished({ requirements, publishing: work.context.publishing, isReviewable: true });
}

async function giveUp({ now: clock }: Env, db: Db, { projectID, id }: Due, error: Parameters<typeof failed>[1]): Promise<void> {
  const now = clock();
  const { stores, context } = storesOf(db, projectID, now);
  const change = await stores.scheduledChanges.lockDue(id, now);
  if (change) await end(stores, change, failed(change, error, context), context);
}

/** Stores how a change ended. If it repeats, its next occurrence is stored in the same transaction, so that there is exactly one. */
async function end(
  { scheduledChanges, settings }: ReturnType<typeof createStores>,
  before: ScheduledChange,
  after: ScheduledChange,
  context: PermittedContext,
): Promise<void> {
  await scheduledChanges.replace(before, after);
  if (!after.repeat) return;
  const next = occurrenceAfter(after, context, await settings.timeZone());
  if (next) await scheduledChanges.create(next);
}

function storesOf(db: Db, projectID: string, now: number) {
  const context: PermittedContext = systemContext("applyScheduledChange", now, projectID);
  return { stores: createStores({ db, context, log: createChangeLog(db, context) }), context };
}

import type { PermittedContext } from "../common/context.ts";
import { AppError, conflict, forbidden, invalid } from "../common/errors.ts";
import { approversOf, type Requirement } from "../console/reviews/requirement.ts";
import {
  approvedBy,
  askReviewers,
  committed,
  isOpen,
  type Review,
  requireApproved,
  requireOpen,
  revise,
  withRequirements,
} from "../console/reviews/review.ts";
import { nextOccurrence } from "../console/scheduled-changes/repetition.ts";
import { BATCH, permissionsOf, requireRepeatable, takesBody } from "../console/scheduled-changes/scheduled-change.ts";
import { createStores } from "../console/stores.ts";
import { type ChangeLog, createChangeLog, type Entry } from "../store/change-log/change-log.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { type Authored, contextOfAuthor } from "./author.ts";
import { requireSameEffect, toEffect } from "./effect.ts";
import { type Env, type Foreseen, foresee, settle, type Time } from "./foresee.ts";
import { requirePublished } from "./publishing.ts";
import { findReviewers } from "./reviewers.ts";
import { keepScheduled, requireShort, requireStorable } from "./store-change.ts";

export type { Review };

type Work = { db: Db; context: PermittedContext; log: ChangeLog };

/**
 * Checks an approved review before the transaction that commits it. If its request would do something else than what was approved, the review
 * gets a new revision.
 * @param dryRun whether nothing may be stored
 * @returns commits the review in a transaction
 * @throws AppError conflict that says what has changed, or who can approve; forbidden; what executing the request throws
 */
export async function prepareCommit(
  env: Env,
  id: string,
  context: PermittedContext,
  { dryRun }: { dryRun: boolean },
): Promise<(work: Work) => Promise<{ review: Review; entries: readonly Entry[] }>> {
  const { database, executor } = env;
  const review = await readReview(env, id, context);
  requireApproved(review);
  requireMayCommit(review, context);
  const by = await reading(database, (db) => contextOfAuthor(db, requestedBy(review), context));
  const request = { ...review, ifMatch: null };
  const time = await readTime(env, review, context);
  const stored = { request, isStored: true, ...time };
  const foreseen = await foresee(env, stored, by);
  const revised = outdated(review, foreseen, context);
  if (revised) {
    if (!dryRun) await storeRevision(env, review, revised.change, context);
    throw conflict(revised.why, "revision");
  }
  await requireMayPublish(env, review, stored, { by, context });
  await requireValidated(env, review, context, { dryRun });
  const prepared = await executor.prepare(request, by);
  return async ({ db, context: own, log }) => {
    const { reviews } = createStores({ db, context: own, log });
    const current = await reviews.get(id, { lock: true });
    if (current.version !== review.version) throw conflict(`Review ${id} has just changed. Read it again.`, "version");
    await reviews.requireValidated(current);
    let entries: readonly Entry[] = [];
    if (time.applyAt === null) {
      const author = await contextOfAuthor(db, requestedBy(review), own);
      entries = await prepared.run({ db, context: author });
      await settle(db);
      requireSameEffect({ effect: review, now: review.revisedTime }, { effect: toEffect(entries), now: own.now }, "approved");
    } else {
      const { operationId, path, query, body, ifMatch, entities, changes } = review;
      const approvedEnvironments = publishedBy(review);
      const approved = { reviewID: id, ...(approvedEnvironments.length > 0 && { approvedEnvironments }) };
      const given = { operationId, path, query, body, ifMatch, entities, changes, ...time, applyAt: time.applyAt, ...approved };
      await keepScheduled(db, given, { ...by, operationID: "scheduleChange", reason: review.reason ?? undefined });
    }
    return { review: await reviews.replace(current, committed(current, own)), entries };
  };
}

/**
 * The time of the request of a review that is committed now. If its own time has passed, it is executed at once, or at its next occurrence.
 * @throws AppError conflict if it does not repeat any more
 */
async function readTime({ database }: Env, { id, applyAt, repeat }: Review, context: PermittedContext): Promise<Time> {
  const { now } = context;
  if (applyAt === null || applyAt <= now) {
    if (applyAt === null || !repeat) return { applyAt: null };
    const timeZone = await reading(database, (db) => createStores({ db, context, log: createChangeLog(db, context) }).settings.timeZone());
    const next = nextOccurrence({ applyAt: now, repeat }, now, timeZone);
    if (!next) throw conflict(`Review ${id} is of a change that no longer repeats. Cancel it.`, "repeat");
    return next;
  }
  return { applyAt, repeat };
}

type Update = { body?: unknown; reviewers?: string[] };

/**
 * The review of another body, with what the request does now, or with other reviewers.
 * @returns stores it in a transaction
 * @throws AppError forbidden, conflict, and what executing the request throws
 */
export async function prepareRevision(
  env: Env,
  id: string,
  update: Update,
  context: PermittedContext,
): Promise<(work: Work) => Promise<Review>> {
  const review = await readReview(env, id, context);
  if (review.author.id !== context.actor.id) throw forbidden(`to be the author of review ${id}`);
  requireOpen(review);
  const revise = "body" in update ? await foreseeRevision(env, review, update.body, context) : nextVersion;
  return async ({ db, context: own, log }) => {
    const { reviews } = createStores({ db, context: own, log });
    const current = await reviews.get(id, { lock: true });
    requireOpen(current, review.revision);
    const next = revise(current, own);
    const { reviewers } = update;
    if (!reviewers) return reviews.replace(current, next);
    const asked = await findReviewers({ db, context: own }, reviewers, next.requirements);
    return reviews.replace(current, askReviewers(next, asked));
  };
}

const nextVersion = (review: Review): Review => ({ ...review, version: review.version + 1 });

/**
 * Tries another body of a review's request.
 * @returns the review with the body and with what the request does now
 * @throws AppError invalid_request, conflict, and what executing the request throws
 */
async function foreseeRevision(
  env: Env,
  review: Review,
  body: unknown,
  context: PermittedContext,
): Promise<(current: Review, own: PermittedContext) => Review> {
  if (body !== null && !takesBody(review.operationId))
    throw invalid([{ property: "body", errorMessage: `cannot be given: ${review.operationId} takes none` }]);
  if (review.operationId === BATCH) await env.executor.checkBatch(body);
  const request = { ...review, body, ifMatch: null };
  requireStorable(request, "reviewed");
  if (review.repeat) requireRepeatable(request);
  const by = { ...context, operationID: review.operationId };
  const foreseen = await foresee(env, { request, applyAt: review.applyAt, repeat: review.repeat }, by);
  requireShort(foreseen, "reviewed");
  const { effect, requirements } = foreseen;
  return (current, own) => revise(current, { ...effect, requirements, body, moved: null }, own);
}

/**
 * Prepares the request of a review, to see in a transaction that is rolled back what a commit would write now. Undefined unless the review
 * is open.
 * @throws AppError forbidden, and what preparing the request throws
 */
export async function prepareTrial(
  { database, executor }: Env,
  review: Review,
  context: PermittedContext,
): Promise<((db: Db) => Promise<readonly Entry[]>) | undefined> {
  if (!isOpen(review)) return undefined;
  const by = await reading(database, (db) => contextOfAuthor(db, requestedBy(review), context));
  const prepared = await executor.prepare({ ...review, ifMatch: null }, by);
  return (db) => prepared.run({ db, context: by });
}

function readReview({ database }: Env, id: string, context: PermittedContext): Promise<Review> {
  return reading(database, (db) => createStores({ db, context, log: createChangeLog(db, context) }).reviews.get(id));
}

/** @throws AppError conflict unless the webhook of the project has validated the review. One that does not know of it is asked. */
async function requireValidated(
  { database }: Env,
  review: Review,
  context: PermittedContext,
  { dryRun }: { dryRun: boolean },
): Promise<void> {
  const asked = await writing(database, (db) => createStores({ db, context, log: createChangeLog(db, context) }).reviews.askLate(review), {
    dryRun,
  });
  if (asked) throw conflict(`The webhook has not validated review ${review.id} yet.`, "validation");
}

/** @throws AppError forbidden */
function requireMayCommit(review: Review, { actor, permissions, grantedBy }: PermittedContext): void {
  if (review.author.id === actor.id) return;
  const missing = permissionsOf(review).find((one) => !permissions.has(one));
  if (missing)
    throw forbidden(`to be the author of review ${review.id}, or the permission ${missing}, which is not given by ${grantedBy}`, missing);
}

/** The environments whose publishers have approved the review. */
function publishedBy({ requirements }: Review): string[] {
  return requirements.filter(({ kind, isMet }) => kind === "PUBLISH" && isMet).map(({ name }) => name);
}

/**
 * Requires that a caller who commits the review of someone else publishes where it counts, unless a publisher has approved it.
 * @throws AppError forbidden
 */
async function requireMayPublish(
  env: Env,
  review: Review,
  given: Parameters<typeof foresee>[1],
  { by, context }: { by: PermittedContext; context: PermittedContext },
): Promise<void> {
  const { publishing } = context;
  if (publishing === null || review.author.id === context.actor.id) return;
  const { requirements } = await foresee(env, given, { ...by, publishing });
  const approved = publishedBy(review);
  requirePublished({ requirements: requirements.filter(({ name }) => !approved.includes(name)), publishing, isReviewable: false });
}

/** The request of a review, made in the name of its author. */
function requestedBy(review: Review): Authored {
  const approvers = approvedBy(review).join(", ");
  const approved = `Review ${review.id}${approvers === "" ? "" : `, approved by ${approvers}`}`;
  return { ...review, reason: `${approved}${review.reason === null ? "." : `: ${review.reason}`}`, did: "requested the review" };
}

/** The review as it has to be approved again, and why. Undefined if what was approved is what would happen. */
function outdated(
  review: Review,
  { effect, requirements }: Foreseen,
  context: PermittedContext,
): { change: (current: Review) => Review; why: string } | undefined {
  const moved = movedSince(review, { effect, now: context.now });
  if (moved !== undefined) {
    const why = `${moved} Review ${review.id} has a new revision, which needs an approval. ${approversOf(requirements)}`;
    return { change: (current) => revise(current, { ...effect, requirements, moved }, context), why };
  }
  const missing = requirements.filter((one) => !isMetBy(review, one));
  if (missing.length === 0) return undefined;
  const named = missing.map(({ name }) => name).join(", ");
  const why = `A setting has changed, so ${named} now requires a review too. Review ${review.id} needs another approval. ${approversOf(missing)}`;
  return { change: (current) => withRequirements(current, requirements), why };
}

function isMetBy({ requirements }: Review, { kind, name, team, people }: Requirement): boolean {
  const key = JSON.stringify([kind, name, team, people]);
  return requirements.some((one) => one.isMet && JSON.stringify([one.kind, one.name, one.team, one.people]) === key);
}

/** The difference between the changes that were reviewed and those that the request would make now. Undefined if they are equal. */
function movedSince(review: Review, actual: Parameters<typeof requireSameEffect>[1]): string | undefined {
  try {
    requireSameEffect({ effect: review, now: review.revisedTime }, actual, "approved");
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return error.message;
    throw error;
  }
}

/** Stores that the review has to be approved again, unless somebody else has changed it since. */
async function storeRevision(
  { database }: Env,
  before: Review,
  change: (current: Review) => Review,
  context: PermittedContext,
): Promise<void> {
  await writing(database, async (db) => {
    const { reviews } = createStores({ db, context, log: createChangeLog(db, context) });
    const current = await reviews.get(before.id, { lock: true });
    if (current.version === before.version) await reviews.replace(current, change(current));
  });
}

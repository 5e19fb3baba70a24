import type { PermittedContext } from "../common/context.ts";
import { AppError, conflict, invalid } from "../common/errors.ts";
import { type Asked, newReview, type Review } from "../console/reviews/review.ts";
import { type Repetition, type Schedule, toRepetition } from "../console/scheduled-changes/repetition.ts";
import {
  newScheduledChange,
  requireRepeatable,
  requireTime,
  type ScheduledChange,
  type StoredRequest,
} from "../console/scheduled-changes/scheduled-change.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import { lock } from "../store/database/locks.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { type Env, type Foreseen, foresee, type Time } from "./foresee.ts";
import { needsReview, requirePublished } from "./publishing.ts";
import { findReviewers } from "./reviewers.ts";

/** The most changes of a project that wait. */
const MAX_WAITING = 1_000;
/** The most characters of a stored body. */
const MAX_BODY_LENGTH = 2 ** 20;
/** The most characters of the changes that are stored with a request. */
const MAX_CHANGES_LENGTH = 4 * 2 ** 20;

export type { Asked, Schedule };

const exact = (count: number): string => count.toLocaleString("en");

/** A stored change, which waits for its time or for an approval. */
export type Stored = { kind: "scheduled"; change: ScheduledChange } | { kind: "in review"; review: Review };

/** Called in the transaction that stores a request. */
type Keep = (db: Db, stored: Stored) => Promise<void>;

/**
 * Stores a request, to be executed at a time, or to be reviewed first.
 * @param given.asked the review that the request itself asks for
 * @throws AppError what executing the request throws; conflict if too many changes wait; payload_too_large
 */
export async function scheduleChange(
  env: Env,
  { request, schedule, asked }: { request: StoredRequest; schedule: Schedule; asked: Asked },
  context: PermittedContext,
  keep: Keep,
): Promise<void> {
  const { applyAt } = schedule;
  requireTime(applyAt, context.now);
  requireStorable(request, "scheduled");
  const repeat = schedule.repeat && (await readRepetition(env, schedule, context));
  if (repeat) requireRepeatable(request);
  const given = { request, applyAt, repeat };
  const { effect, requirements } = await foresee(env, given, context);
  const foreseen = { effect, requirements: [...requirements, ...asked.requirements] };
  if (!needsReview(foreseen.requirements)) requirePublished({ ...foreseen, publishing: context.publishing, isReviewable: true });
  const { reviewers } = asked;
  if (foreseen.requirements.length > 0) return requestReview(env, { ...given, foreseen, reviewers }, context, keep);
  requireShort(foreseen, "scheduled");
  await writing(env.database, async (db) => {
    const by = { ...context, operationID: "scheduleChange" };
    await keep(db, {
      kind: "scheduled",
      change: await keepScheduled(db, { ...request, ...foreseen.effect, applyAt, repeat }, by),
    });
  });
}

/** How a request repeats, in the project's time zone. @throws AppError invalid_request */
function readRepetition({ database }: Env, schedule: Schedule, context: PermittedContext): Promise<Repetition | undefined> {
  return reading(database, async (db) => {
    const { settings } = createStores({ db, context, log: createChangeLog(db, context) });
    return toRepetition(schedule, await settings.timeZone());
  });
}

/** Stores a scheduled change. @throws AppError conflict if too many wait */
export async function keepScheduled(
  db: Db,
  given: Parameters<typeof newScheduledChange>[0],
  by: PermittedContext,
): Promise<ScheduledChange> {
  const { scheduledChanges } = createStores({ db, context: by, log: createChangeLog(db, by) });
  await lock(db, `scheduled changes of ${by.projectID}`);
  if ((await scheduledChanges.countWaiting()) >= MAX_WAITING)
    throw conflict(`The project already has ${exact(MAX_WAITING)} scheduled changes. Cancel one first.`, "applyAt");
  return scheduledChanges.create(newScheduledChange(given, by));
}

/**
 * Stores a request that needs a review.
 * @throws AppError conflict if too many reviews are open; payload_too_large; invalid_request for reviewers who cannot approve it
 */
export async function requestReview(
  { database }: Pick<Env, "database">,
  { request, foreseen, reviewers: asked, ...time }: { request: StoredRequest; foreseen: Foreseen; reviewers: Asked["reviewers"] } & Time,
  context: PermittedContext,
  keep: Keep,
): Promise<void> {
  requireStorable(request, "reviewed");
  requireShort(foreseen, "reviewed");
  const { effect, requirements } = foreseen;
  await writing(database, async (db) => {
    const by = { ...context, operationID: "requestReview" };
    const { reviews } = createStores({ db, context: by, log: createChangeLog(db, by) });
    const reviewers = await findReviewers({ db, context }, asked, requirements);
    const review = await reviews.create(newReview({ ...request, ...effect, ...time, requirements, reviewers }, by));
    await keep(db, { kind: "in review", review });
  });
}

/** @throws AppError payload_too_large */
export function requireStorable({ body }: Pick<StoredRequest, "body">, participle: "scheduled" | "reviewed"): void {
  if (JSON.stringify(body).length > MAX_BODY_LENGTH)
    throw new AppError(
      "payload_too_large",
      `A body with more than ${exact(MAX_BODY_LENGTH)} characters cannot be ${participle}. Split it into smaller changes.`,
    );
}

/** @throws AppError invalid_request */
export function requireShort({ effect }: Pick<Foreseen, "effect">, participle: "scheduled" | "reviewed"): void {
  const { length } = JSON.stringify(effect.changes);
  if (length <= MAX_CHANGES_LENGTH) return;
  if (participle === "reviewed")
    throw new AppError(
      "payload_too_large",
      `A request cannot be reviewed if its changes have more than ${exact(MAX_CHANGES_LENGTH)} characters.`,
    );
  const errorMessage = `cannot be used: the changes have ${exact(length)} characters, more than the limit of ${exact(MAX_CHANGES_LENGTH)}`;
  throw invalid([{ property: "applyAt", errorMessage }]);
}

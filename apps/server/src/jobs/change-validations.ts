import { isOpen } from "../console/reviews/review.ts";
import { claimUnanswered, noteAnswered, type Unanswered } from "../console/reviews/review-store.ts";
import { type Db, repeating } from "../store/database/unit-of-work.ts";
import type { Job, JobEnv } from "./jobs.ts";

/** Asks the webhooks that validate changes. One that gets no message is asked again until the deadline. */
export const changeValidations: Job = {
  name: "changeValidations",
  intervalMs: 1_000,
  async run(env) {
    const found = await repeating(env.database, (db: Db) => claimUnanswered({ db }, env.now()));
    // A slow receiver holds up no other one.
    await Promise.all(found.map((one) => ask(env, one)));
  },
};

async function ask({ database, log, now }: JobEnv, one: Unanswered): Promise<void> {
  const { projectID, id, url, review } = one;
  const { validation, revision } = review;
  const isWaiting = isOpen(review) && validation?.status === "PENDING" && validation.deadline > now();
  // The project may get a webhook again.
  if (isWaiting && url === null) return;
  try {
    if (isWaiting && url !== null)
      await database.db.webhooks?.send(projectID, url, { id: `${id}_${revision}`, time: now(), body: toBody(one) });
    await repeating(database, (db: Db) => noteAnswered({ db }, one));
  } catch (err) {
    log.warn({ err, projectID, review: id }, "The webhook that validates changes did not get a message. It will be asked again.");
  }
}

/** What the webhook gets: the review as people see it, without what others said about it. */
function toBody({ projectID, review }: Unanswered): string {
  const { id: reviewID, revision, operationId, path, query, body, reason, author, applyAt, entities, changes, revisedTime } = review;
  const deadline = review.validation?.deadline;
  return JSON.stringify({
    type: "change_validation.requested",
    timestamp: new Date(revisedTime).toISOString(),
    data: { projectID, reviewID, revision, deadline, operationId, path, query, body, reason, author, applyAt, entities, changes },
  });
}

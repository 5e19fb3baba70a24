import { applyDueChanges } from "../changes/apply.ts";
import type { Executor } from "../changes/executor.ts";
import type { Provisioning } from "../common/context.ts";
import { deleteEndedReviews } from "../console/reviews/review-store.ts";
import { deleteOldChanges } from "../console/scheduled-changes/scheduled-change-store.ts";
import type { Job } from "./jobs.ts";

/** Makes scheduled changes at their time. */
export function scheduledChanges(executor: Executor, provisioning?: Provisioning): Job {
  return {
    name: "scheduledChanges",
    intervalMs: 1_000,
    run: (env) => applyDueChanges({ ...env, executor, provisioning }),
  };
}

const KEPT_MS = 365 * 24 * 60 * 60 * 1_000;

/** Deletes scheduled changes a year after their time. The audit log keeps what they changed. */
export const deleteOldScheduledChanges: Job = {
  name: "deleteOldScheduledChanges",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => deleteOldChanges(database, now() - KEPT_MS),
};

/** Deletes reviews a year after they ended. The audit log keeps what they changed. */
export const deleteOldReviews: Job = {
  name: "deleteOldReviews",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => deleteEndedReviews(database, now() - KEPT_MS),
};

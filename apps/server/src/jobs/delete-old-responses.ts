import { deleteExpiredResponses } from "../store/requests/idempotency.ts";
import type { Job } from "./jobs.ts";

/** Deletes stored responses whose Idempotency-Keys have expired. */
export const deleteOldResponses: Job = {
  name: "deleteOldResponses",
  intervalMs: 10 * 60 * 1_000,
  run: ({ database, now }) => deleteExpiredResponses(database.db, now()),
};

import { forgetAnswers } from "../store/idempotency.ts";
import type { Job } from "./jobs.ts";

/** Deletes the answers whose Idempotency-Keys are no longer remembered. */
export const forgetOldAnswers: Job = {
  name: "forgetOldAnswers",
  intervalMs: 10 * 60 * 1_000,
  run: ({ database, now }) => forgetAnswers(database.db, now()),
};

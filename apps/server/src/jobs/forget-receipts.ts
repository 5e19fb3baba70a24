import { forgetReceipts } from "../evaluation/events/event-intake-store.ts";
import type { Job } from "./jobs.ts";

/** Forgets by what batches of events were known that came more than ten minutes ago. */
export const forgetOldReceipts: Job = {
  name: "forgetOldReceipts",
  intervalMs: 60 * 1_000,
  run: ({ database, now }) => forgetReceipts(database.db, now()),
};

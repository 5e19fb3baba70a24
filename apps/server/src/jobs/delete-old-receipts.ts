import { deleteExpiredReceipts } from "../evaluation/events/event-intake-store.ts";
import type { Job } from "./jobs.ts";

/** Deletes receipts of event batches after the deduplication window of ten minutes. */
export const deleteOldReceipts: Job = {
  name: "deleteOldReceipts",
  intervalMs: 60 * 1_000,
  run: ({ database, now }) => deleteExpiredReceipts(database.db, now()),
};

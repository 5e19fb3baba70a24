import { repeating } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { type QueueCount, readQueues } from "./queue-counts-store.ts";

/** The job that counts the items of queues, and its last counts. */
export type QueueCounts = { job: Job; latest(): Map<string, QueueCount> };

/**
 * Counts the items that wait in queues of the database, for the metrics of the server. Metrics are read while the database is away, too, so
 * they don't ask it.
 */
export function createQueueCounts(): QueueCounts {
  let latest = new Map<string, QueueCount>();
  return {
    latest: () => latest,
    job: {
      name: "queueCounts",
      intervalMs: 15_000,
      async run({ database, now }) {
        latest = await repeating(database, (db) => readQueues(db, now()));
      },
    },
  };
}

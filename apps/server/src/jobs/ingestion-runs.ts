import { forgetIdentities } from "../console/ingestion/ingested-day-store.ts";
import { claimRun, deleteOldRuns } from "../console/ingestion/run-queue-store.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { runIngestion } from "./run-ingestion.ts";
import { LEASE_MS, RUNNER } from "./while-leased.ts";

/** The most time for one statement. */
const STATEMENT_TIMEOUT_MS = 10 * 60 * 1_000;

/** Executes the runs of ingestion that wait, one after the other. */
export const ingestionRuns: Job = {
  name: "ingestionRuns",
  intervalMs: 1_000,
  async run(env) {
    while (!env.stopping?.aborted) {
      const run = await repeating(env.database, (db) => claimRun(db, { runner: RUNNER, now: env.now(), leaseMs: LEASE_MS }));
      if (!run) return;
      await runIngestion(env, run, STATEMENT_TIMEOUT_MS);
    }
  },
};

const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;

/** Deletes runs that finished more than 90 days ago, and the identities of rows on days without a later run. Copied rows stay. */
export const deleteOldIngestionRuns: Job = {
  name: "deleteOldIngestionRuns",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, now }) {
    await deleteOldRuns(database.db, now() - KEPT_MS);
    await forgetIdentities(database.db, now() - KEPT_MS);
  },
};

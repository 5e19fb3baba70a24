import { claimLoad, deleteOldLoads } from "../console/results/load-queue-store.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";
import { runLoad } from "./loads/run-load.ts";
import { LEASE_MS, RUNNER } from "./while-leased.ts";

/** The most time for one statement. */
const STATEMENT_TIMEOUT_MS = 10 * 60 * 1_000;

/** Runs the loads of results that wait, one after the other. */
export const pulseLoads: Job = {
  name: "pulseLoads",
  intervalMs: 1_000,
  async run(env) {
    while (!env.stopping?.aborted) {
      const load = await repeating(env.database, (db) => claimLoad(db, { runner: RUNNER, now: env.now(), leaseMs: LEASE_MS }));
      if (!load) return;
      await runLoad(env, load, STATEMENT_TIMEOUT_MS);
    }
  },
};

const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;

/** Deletes loads that finished more than 90 days ago. Their findings stay. */
export const deleteOldPulseLoads: Job = {
  name: "deleteOldPulseLoads",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => deleteOldLoads(database.db, now() - KEPT_MS),
};

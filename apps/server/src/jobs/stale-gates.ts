import { findStaleness } from "../console/gates/gate-staleness.ts";
import { type Candidate, listStaleCandidates, setStaleness } from "../console/gates/stale-gate-store.ts";
import { type Db, repeating } from "../store/database/unit-of-work.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job, JobEnv } from "./jobs.ts";

/** Finds out which gates are probably no longer needed, and which are needed after all. */
export const staleGates: Job = {
  name: "staleGates",
  intervalMs: 60 * 60 * 1_000,
  run: (env) => findStaleGates(env),
};

/** @param projectID only gates of a project */
export async function findStaleGates(env: JobEnv, projectID?: string): Promise<void> {
  const now = env.now();
  const list = (db: Db, after: Candidate | undefined) => listStaleCandidates(db, now, { projectID, after });
  for await (const candidate of eachBatch(env, list)) {
    const { gate, checks, isTargeted, reason } = candidate;
    const found = findStaleness(gate, checks, isTargeted, now);
    if (found !== reason) await repeating(env.database, (db) => setStaleness(db, candidate, found));
  }
}

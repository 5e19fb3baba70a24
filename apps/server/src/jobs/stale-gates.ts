import { findStaleness } from "../console/gates/gate-staleness.ts";
import { type Candidate, listStaleCandidates, setStaleness } from "../console/gates/stale-gate-store.ts";
import { reading, repeating } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";

/** Finds out which gates are probably no longer needed, and which are needed after all. */
export const staleGates: Job = {
  name: "staleGates",
  intervalMs: 60 * 60 * 1_000,
  async run({ database, now }) {
    let after: Candidate | undefined;
    do {
      const batch: Candidate[] = await reading(database, (db) => listStaleCandidates(db, now(), after));
      for (const candidate of batch) {
        const { gate, checks, isTargeted, reason } = candidate;
        const found = findStaleness(gate, checks, isTargeted, now());
        if (found !== reason) await repeating(database, (db) => setStaleness(db, candidate, found));
      }
      after = batch.at(-1);
    } while (after);
  },
};

import { markStaleGate } from "../console/gates/gate.ts";
import { findStaleness, STALE_AFTER_MS } from "../console/gates/gate-staleness.ts";
import { type Candidate, listStaleCandidates } from "../console/gates/stale-gate-store.ts";
import type { Job } from "./jobs.ts";
import { markStale } from "./mark-stale.ts";

/** Marks gates as stale that are probably no longer needed, and unmarks those that are needed after all. */
export const staleGates: Job = {
  name: "staleGates",
  intervalMs: 60 * 60 * 1_000,
  run(env) {
    const { now } = env;
    const found = ({ gate, checks, isTargeted }: Candidate) => findStaleness(gate, checks, isTargeted, now());
    return markStale<Candidate>(env, {
      operationID: "markStaleGates",
      list: (db, after) => listStaleCandidates(db, now() - STALE_AFTER_MS, after),
      isWrong: (candidate) => found(candidate).typeReason !== candidate.gate.typeReason,
      mark: ({ gates }, candidate) => gates.replace(candidate.gate, markStaleGate(candidate.gate, found(candidate))),
    });
  },
};

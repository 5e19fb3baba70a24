import { markStaleGate } from "../console/gates/gate.ts";
import { STALE_AFTER, stalenessOf } from "../console/gates/gate-staleness.ts";
import { type Candidate, listStaleCandidates } from "../console/gates/stale-gate-store.ts";
import type { Job } from "./jobs.ts";
import { markStale } from "./mark-stale.ts";

/** Finds the gates that nothing suggests are still needed, and those that are needed after all. */
export const staleGates: Job = {
  name: "staleGates",
  every: 60 * 60 * 1_000,
  run(surroundings) {
    const { now } = surroundings;
    const found = ({ gate, checks, isTargeted }: Candidate) => stalenessOf(gate, checks, isTargeted, now());
    return markStale<Candidate>(surroundings, {
      operationID: "markStaleGates",
      list: (db, after) => listStaleCandidates(db, now() - STALE_AFTER, after),
      isWrong: (candidate) => found(candidate).typeReason !== candidate.gate.typeReason,
      mark: ({ gates }, candidate) => gates.replace(candidate.gate, markStaleGate(candidate.gate, found(candidate))),
    });
  },
};

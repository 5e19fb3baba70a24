import { systemContext } from "../bootstrap.ts";
import { markStale } from "../console/gates/gate.ts";
import { STALE_AFTER, stalenessOf } from "../console/gates/gate-staleness.ts";
import { type Candidate, listStaleCandidates } from "../console/gates/stale-gate-store.ts";
import { createChangeLog } from "../store/change-log.ts";
import { reading, writing } from "../store/unit-of-work.ts";
import { createStores } from "../stores.ts";
import type { Job, Surroundings } from "./jobs.ts";

/** Finds the gates that nothing suggests are still needed, and those that are needed after all. */
export const staleGates: Job = {
  name: "staleGates",
  every: 60 * 60 * 1_000,
  async run(surroundings) {
    const { database, now } = surroundings;
    let after: Candidate | undefined;
    do {
      const batch = await reading(database, (db) => listStaleCandidates(db, now() - STALE_AFTER, after));
      for (const candidate of batch) await settle(surroundings, candidate);
      after = batch.at(-1);
    } while (after);
  },
};

async function settle({ database, log, now }: Surroundings, { projectID, gate, checks, isTargeted }: Candidate): Promise<void> {
  const staleness = stalenessOf(gate, checks, isTargeted, now());
  if (staleness.type === gate.type && staleness.typeReason === gate.typeReason) return;
  const context = systemContext("markStaleGates", now(), projectID);
  // A gate that changes at the same time keeps its change: it is looked at again in the next run.
  await writing(database, (db) =>
    createStores({ db, context, log: createChangeLog(db, context) }).gates.replace(gate, markStale(gate, staleness)),
  ).catch((err: unknown) => log.warn({ err, projectID, gate: gate.id }, "A gate could not be marked. It will be tried again."));
}

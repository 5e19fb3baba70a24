import { fromText } from "../../store/change-log/entity-text.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Experiment } from "./experiment.ts";
import { ENDED_STATUSES } from "./experiment-staleness.ts";

/** An experiment of any project that may have become stale. */
export type Candidate = { projectID: string; experiment: Experiment };

/** Candidates per query. */
const BATCH_SIZE = 500;

/** The experiments that have ended, were created before `since`, ms since the epoch, and are not stale yet. */
export async function listStaleCandidates(db: Db, since: number, after?: Candidate): Promise<Candidate[]> {
  const rows = await db.$queryRaw<{ projectID: string; entity: string }[]>`
    select "projectID", "entity" from experiment
    where ("projectID", "id") > (${after?.projectID ?? ""}, ${after?.experiment.id ?? ""})
    and not "isStale" and "createdTime" <= ${since} and "status" = any(${[...ENDED_STATUSES]}::text[])
    order by "projectID", "id" limit ${BATCH_SIZE}`;
  return rows.map(({ projectID, entity }) => ({ projectID, experiment: fromText<Experiment>(entity) }));
}

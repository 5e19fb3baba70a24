import { systemContext } from "../common/system-context.ts";
import type { Stores } from "../console/stores.ts";
import { type Db, reading } from "../store/database/unit-of-work.ts";
import type { JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

type Candidate = { projectID: string };

type Marking<C extends Candidate> = {
  operationID: string;
  /** The next batch of candidates after `after`, in a total order. */
  list(db: Db, after: C | undefined): Promise<C[]>;
  /** Whether the candidate's mark has to change. */
  isWrong(candidate: C): boolean;
  mark(stores: Stores, candidate: C): Promise<unknown>;
};

/** Checks every candidate and corrects wrong marks, each in its own transaction. */
export async function markStale<C extends Candidate>({ database, log, now }: JobEnv, marking: Marking<C>): Promise<void> {
  const { operationID, list, isWrong, mark } = marking;
  let after: C | undefined;
  do {
    const batch = await reading(database, (db) => list(db, after));
    for (const candidate of batch.filter(isWrong)) {
      const { projectID } = candidate;
      // A concurrent change wins: the entity is checked again in the next run.
      await writeAs(database, systemContext(operationID, now(), projectID), (stores) => mark(stores, candidate)).catch((err: unknown) =>
        log.warn({ err, projectID, operationID }, "Marking an entity as stale failed. It will be retried."),
      );
    }
    after = batch.at(-1);
  } while (after);
}

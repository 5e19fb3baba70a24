import { HOUR_MS } from "../../common/utc-day.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";

/** Checks are data, like events: the event intake counts them, and the change log does not have them. */
export function createExperimentCheckStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** Called with the deletion of the experiment, so that a new one with the same id starts without checks. */
    async delete(experimentID: string): Promise<void> {
      await db.$executeRaw`delete from experiment_checks where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
    },
  };
}

/** Deletes the checks of all experiments in hours that ended before a time, ms since the epoch. */
export async function deleteOldExperimentChecks(db: Db, before: number): Promise<void> {
  await db.$executeRaw`delete from experiment_checks where "hour" <= ${before - HOUR_MS}::bigint`;
}

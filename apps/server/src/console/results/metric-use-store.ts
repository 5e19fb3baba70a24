import { fromText } from "../../store/change-log/entity-text.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Experiment } from "../experiments/experiment.ts";

/** Reads the subjects that may be loaded for a metric. */
export function createMetricUseStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** The next running experiments after an id, in their order. */
    async listRunning(after: string): Promise<Experiment[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from experiment
        where "projectID" = ${projectID} and status in ('active', 'assignment_stopped') and id > ${after} order by id limit 50`;
      return rows.map(({ entity }) => fromText<Experiment>(entity));
    },

    /** The gates in progress that a metric monitors, in the order of their ids. */
    async listGates(metricID: string): Promise<{ id: string }[]> {
      return db.$queryRaw`
        select gate.id from gate join reference on reference."projectID" = gate."projectID" and "fromType" = 'gate' and "fromID" = gate.id
        where gate."projectID" = ${projectID} and status = 'In Progress' and "toType" = 'metric' and "toID" = ${metricID} order by gate.id`;
    },

    /** The holdouts that a metric monitors, in the order of their ids. */
    async listHoldouts(metricID: string): Promise<{ id: string }[]> {
      return db.$queryRaw`
        select holdout.id from holdout join reference on reference."projectID" = holdout."projectID" and "fromType" = 'holdout' and "fromID" = holdout.id
        where holdout."projectID" = ${projectID} and "toType" = 'metric' and "toID" = ${metricID} order by holdout.id`;
    },
  };
}

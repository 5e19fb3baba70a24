import { type UnitCounts, unitCounts } from "../../results/sql/unit-counts.ts";
import { eventDialect } from "../../store/database/ask.ts";
import type { CountUnits } from "../experiment-health.ts";
import { toFailure, withoutHarm } from "./failures.ts";
import type { LoadRun } from "./load-run.ts";

/** Counts the units of a gate's rule or a holdout. An experiment's units are counted with its health. */
export async function countComparedUnits(run: LoadRun): Promise<void> {
  if (run.input.experiment) return;
  await withoutHarm(run, "The units of a load could not be counted.", () => countUnits(run));
}

async function countUnits({ env, load, input, signal, timeoutMs }: LoadRun): Promise<void> {
  const { projectID, startTime, endTime } = load;
  const { exposureSource } = input.compared;
  const { text, parameters } = unitCounts(
    { projectID, exposureSource: exposureSource, environments: input.environments, startTime, endTime },
    eventDialect(env.database.db),
  );
  const values = parameters.map(({ value }) => value);
  [load.units = null] = await env.database.analyse<UnitCounts>(text, values, { timeoutMs, signal });
}

/** Counts an experiment's units on the warehouse, or answers why it could not. Undefined if the warehouse has no say in them. */
export function countingOnWarehouse(run: LoadRun): CountUnits | undefined {
  const { countUnits } = run.engines;
  if (!countUnits) return undefined;
  return async (scope) => {
    try {
      return await countUnits(scope);
    } catch (error) {
      return { reason: toFailure(error, run).reason };
    }
  };
}

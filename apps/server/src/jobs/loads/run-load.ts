import { type ClaimedLoad, finishLoad, releaseLoad, renewLease } from "../../console/results/load-queue-store.ts";
import { summarizeState } from "../../console/results/pulse-load.ts";
import type { AnalysisOptions } from "../../store/database/engines.ts";
import { checkHealth } from "../experiment-health.ts";
import type { JobEnv } from "../jobs.ts";
import { openResultEngines } from "../open-result-engines.ts";
import { whileLeased } from "../while-leased.ts";
import { computeMetrics } from "./compute-metrics.ts";
import { countComparedUnits, countingOnWarehouse } from "./count-units.ts";
import { Left, type LoadRun, OPERATION, TurnOver } from "./load-run.ts";
import { readInput } from "./read-input.ts";

/**
 * Runs a load that this replica has claimed, from where an earlier turn left it. The result of each statement is stored at once. Between
 * metrics, a long load lets waiting loads of other projects go first.
 * @param timeoutMs the most time for one statement
 */
export async function runLoad(env: JobEnv, load: ClaimedLoad, timeoutMs: number): Promise<void> {
  const { database, stopping } = env;
  try {
    await whileLeased(
      env,
      (until) => renewLease(database.db, load, until),
      (signal) => completeLoad(env, load, { timeoutMs, signal }),
    );
  } catch (error) {
    if (error instanceof TurnOver) await releaseLoad(database.db, load, env.now());
    else if (!(error instanceof Left)) throw error;
    else if (stopping?.aborted) await releaseLoad(database.db, load);
  }
}

async function completeLoad(env: JobEnv, load: ClaimedLoad, options: AnalysisOptions): Promise<void> {
  const { projectID } = load;
  const startedAt = performance.now();
  const begunTime = env.now();
  const input = await readInput(env, load);
  const engines = openResultEngines(env, { projectID, operation: OPERATION, known: input, options });
  const run = { env, load, begunTime, input, engines, ...options };
  await countComparedUnits(run);
  await computeMetrics(run);
  await checkExperimentHealth(run);
  const state = summarizeState(load.metrics);
  await finishLoad(env.database.db, load, state, env.now());
  env.instruments?.loads.observe({ state }, (performance.now() - startedAt) / 1_000);
}

/** Checks the health of the load's experiment, so that it is known when the load is finished. A load that is taken over repeats it. @throws Left */
async function checkExperimentHealth(run: LoadRun): Promise<void> {
  const { env, load, input, signal, timeoutMs } = run;
  const { experiment } = input;
  if (!experiment) return;
  const countUnits = countingOnWarehouse(run);
  await checkHealth(env, { projectID: load.projectID, experiment }, { eventsTimeoutMs: timeoutMs, ...(countUnits && { countUnits }) });
  if (signal.aborted) throw new Left();
}

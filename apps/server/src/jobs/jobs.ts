import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../store/database/database.ts";

export type JobEnv = {
  database: Database;
  log: Logger;
  /** The clock, milliseconds since the epoch. */
  now: () => number;
  /** Aborts when the server stops: a run that takes long should end soon then. */
  stopping?: AbortSignal;
};

/**
 * A background task that runs periodically on every replica. It must be correct if two replicas run it concurrently, and if one is killed
 * during a run.
 */
export type Job = {
  name: string;
  /** The delay between two runs, ms. */
  intervalMs: number;
  run(env: JobEnv): Promise<void>;
};

type RunningJobs = {
  /** Starts no more runs. Resolves when those in progress are done. */
  stop(): Promise<void>;
};

/** Starts all jobs at once. A failed run is logged, and the next run follows as usual. */
export function startJobs(jobs: Job[], env: JobEnv): RunningJobs {
  const stopping = new AbortController();
  // Each job listens, however many there are.
  setMaxListeners(0, stopping.signal);
  const loops = jobs.map((job) => repeat(job, env, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat({ name, intervalMs, run }: Job, env: JobEnv, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await run({ ...env, stopping: signal }).catch((err: unknown) => env.log.error({ err, job: name }, "A job failed. It will run again."));
    // Rejects only if the jobs are stopped, which ends the loop.
    await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

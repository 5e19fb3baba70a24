import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../store/database.ts";

export type JobEnv = {
  database: Database;
  log: Logger;
  /** The clock, milliseconds since the epoch. */
  now: () => number;
};

/**
 * Something that the server does by itself, again and again. Every replica does it: what a job does must be right when two do it at
 * once, and when one is ended in the middle.
 */
export type Job = {
  name: string;
  /** The pause between two runs. */
  intervalMs: number;
  run(env: JobEnv): Promise<void>;
};

type RunningJobs = {
  /** Begins no more runs and returns when those that have begun are done. */
  stop(): Promise<void>;
};

/** Starts the jobs, each at once. A run that fails is logged; the next one comes all the same. */
export function startJobs(jobs: Job[], env: JobEnv): RunningJobs {
  const stopping = new AbortController();
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
    await run(env).catch((err: unknown) => env.log.error({ err, job: name }, "A job failed. It will run again."));
    // Rejects only when the jobs are stopped, which ends the loop.
    await pause(intervalMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

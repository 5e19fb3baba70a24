import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../store/database.ts";

export type Surroundings = {
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
  /** How long it rests between two runs, ms. */
  every: number;
  run(surroundings: Surroundings): Promise<void>;
};

type RunningJobs = {
  /** Begins no more runs and returns when those that have begun are done. */
  stop(): Promise<void>;
};

/** Starts the jobs, each at once. A run that fails is logged; the next one comes all the same. */
export function startJobs(jobs: Job[], surroundings: Surroundings): RunningJobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => repeat(job, surroundings, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat({ name, every, run }: Job, surroundings: Surroundings, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await run(surroundings).catch((err: unknown) => surroundings.log.error({ err, job: name }, "A job failed. It will run again."));
    // Rejects only when the jobs are stopped, which ends the loop.
    await pause(every, undefined, { signal, ref: false }).catch(() => {});
  }
}

import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Instruments } from "../common/instruments.ts";
import type { Tracing } from "../common/tracing.ts";
import type { Database } from "../store/database/database.ts";

export type JobEnv = {
  database: Database;
  log: Logger;
  /** The clock, milliseconds since the epoch. */
  now: () => number;
  /** Receives measurements of jobs. */
  instruments?: Instruments;
  tracing?: Tracing | undefined;
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

export type RunningJobs = {
  /** Starts no more runs. Resolves when those in progress are done. */
  stop(): Promise<void>;
  /** By how long the next run of each job is late, s: more than 0 only while a run takes longer than the job's interval. */
  delays(): [job: string, seconds: number][];
};

/** Starts all jobs at once. A failed run is logged, and the next run follows as usual. */
export function startJobs(jobs: Job[], env: JobEnv): RunningJobs {
  const stopping = new AbortController();
  // Each job listens, however many there are.
  setMaxListeners(0, stopping.signal);
  /** When the run in progress of each job began, by the monotonic clock, ms. */
  const begun = new Map<string, number>();
  const observed = (job: Job): Job => ({ ...job, run: (given) => observeRun(job, given, begun) });
  const loops = jobs.map((job) => repeat(observed(job), env, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
    delays() {
      const now = performance.now();
      return jobs.map(({ name, intervalMs }) => [name, Math.max(0, now - (begun.get(name) ?? now) - intervalMs) / 1_000]);
    },
  };
}

/** Runs a job once, and measures the run. @throws the error of the run */
async function observeRun({ name, run }: Job, env: JobEnv, begun: Map<string, number>): Promise<void> {
  const { instruments, tracing, now } = env;
  const startedAt = performance.now();
  begun.set(name, startedAt);
  let outcome = "failure";
  try {
    await (tracing ? tracing.job(name, () => run(env)) : run(env));
    outcome = "success";
    instruments?.jobSuccesses.set({ job_name: name }, now() / 1_000);
  } finally {
    begun.delete(name);
    instruments?.jobRuns.inc({ job_name: name, outcome });
    instruments?.jobDurations.observe({ job_name: name }, (performance.now() - startedAt) / 1_000);
  }
}

async function repeat({ name, intervalMs, run }: Job, env: JobEnv, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await run({ ...env, stopping: signal }).catch((err: unknown) => env.log.error({ err, job: name }, "A job failed. It will run again."));
    // Rejects only if the jobs are stopped, which ends the loop.
    await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { claimEvaluation, deleteOldEvaluations } from "../console/prompt-evaluations/evaluation-queue-store.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import { type Grading, runEvaluation } from "./evaluations/run-evaluation.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { LEASE_MS, RUNNER } from "./while-leased.ts";

const LOOK_MS = 1_000;
/** Evaluations that a replica executes at the same time. */
const MAX_RUNNING = 4;
const KEPT_MS = 365 * 24 * 60 * 60 * 1_000;

/** Executes evaluations of prompts. A run lasts as long as any is executed, and goes on with others while a model is slow. */
export function promptEvaluations(grading: Grading): Job {
  return {
    name: "promptEvaluations",
    intervalMs: LOOK_MS,
    async run(env) {
      const { stopping } = env;
      const running = new Set<Promise<void>>();
      do {
        while (running.size < MAX_RUNNING && !stopping?.aborted) {
          const claimed = await claim(env);
          if (!claimed) break;
          const execution = runEvaluation(env, claimed, grading)
            .catch((err: unknown) => env.log.warn({ err, evaluation: claimed.id }, "An evaluation was interrupted. It will be continued."))
            .finally(() => running.delete(execution));
          running.add(execution);
        }
        if (running.size > 0) await Promise.race([...running, wait(stopping)]);
      } while (running.size > 0);
    },
  };
}

const claim = ({ database, now }: JobEnv) =>
  repeating(database, (db) => claimEvaluation(db, { runner: RUNNER, now: now(), leaseMs: LEASE_MS }));

/** Waits until it is time to look for others. Once the server stops, only the executions that end matter. */
const wait = (stopping: AbortSignal | undefined) =>
  sleep(LOOK_MS, undefined, { ref: false, ...(stopping && !stopping.aborted && { signal: stopping }) }).catch(() => {});

/** Deletes evaluations a year after they finished. */
export const deleteOldPromptEvaluations: Job = {
  name: "deleteOldPromptEvaluations",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => deleteOldEvaluations(database.db, now() - KEPT_MS),
};

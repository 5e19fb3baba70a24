import { applyDueChanges } from "../changes/apply.ts";
import type { Executor } from "../changes/executor.ts";
import type { Provisioning } from "../common/context.ts";
import type { Job } from "./jobs.ts";

/** Makes scheduled changes at their time. */
export function scheduledChanges(executor: Executor, provisioning?: Provisioning): Job {
  return {
    name: "scheduledChanges",
    intervalMs: 1_000,
    run: (env) => applyDueChanges({ ...env, executor, provisioning }),
  };
}

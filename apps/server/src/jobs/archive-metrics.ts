import { AppError } from "../common/errors.ts";
import { archiveMetric, cancelArchive, isArchiveDue } from "../console/metrics/metric.ts";
import { doDue } from "./do-due.ts";
import type { Job } from "./jobs.ts";

/** Archives metrics at their scheduled time. Metrics that are referenced then stay in use. */
export const archiveMetrics: Job = {
  name: "archiveMetrics",
  intervalMs: 60_000,
  async run(env) {
    await doDue(env, "metric", "archiveScheduledMetric", async ({ metrics }, id, context) => {
      const metric = await metrics.find(id, { lock: true });
      if (!metric || !isArchiveDue(metric, context.now)) return;
      const reason = await metrics.requireUnreferenced(metric).then(() => undefined, reasonToKeep);
      await metrics.replace(metric, reason === undefined ? archiveMetric(metric, context) : cancelArchive(metric, context), { reason });
    });
  },
};

/** @throws anything but a conflict */
function reasonToKeep(error: unknown): string {
  if (error instanceof AppError && error.code === "conflict") return error.message;
  throw error;
}

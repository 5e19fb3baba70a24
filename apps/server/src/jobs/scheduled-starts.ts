import { startScheduled } from "../console/experiments/experiment-steps.ts";
import { doDue } from "./do-due.ts";
import type { Job } from "./jobs.ts";

/** Starts experiments at their scheduled time. A start that fails is not retried. */
export const scheduledStarts: Job = {
  name: "scheduledStarts",
  intervalMs: 1_000,
  async run(env) {
    await doDue(env, "experiment", "startScheduledExperiment", async ({ experiments }, id, context) => {
      // Every write locks the layer before the experiment.
      const known = await experiments.find(id);
      const shared = known && (await experiments.lockLayer(known));
      const experiment = await experiments.find(id, { lock: true });
      if (!experiment || experiment.scheduledStartTime === null || experiment.scheduledStartTime > context.now) return;
      const { after, reason } = startScheduled(experiment, shared, context);
      if (reason !== undefined) env.log.warn({ projectID: context.projectID, experiment: id, reason }, "A scheduled start failed.");
      await experiments.replace(experiment, after, { reason });
    });
  },
};

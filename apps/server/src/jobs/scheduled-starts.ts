import { startScheduled } from "../console/experiments/experiment-steps.ts";
import { doDue } from "./do-due.ts";
import type { Job } from "./jobs.ts";

/** Starts the experiments whose scheduled start has come. One that cannot start then is not retried. */
export const scheduledStarts: Job = {
  name: "scheduledStarts",
  intervalMs: 1_000,
  async run(env) {
    await doDue(env, "experiment", "startScheduledExperiment", async ({ experiments }, id, context) => {
      // The layer is locked before the experiment, as in every other write.
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

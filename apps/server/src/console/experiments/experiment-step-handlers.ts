import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../stores.ts";
import { writeExperiment } from "./experiment-handlers.ts";
import { abandon, advance, decide, schedule, toggle } from "./experiment-steps.ts";

export const experimentStepHandlers = {
  async startExperiment({ path, body, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment, shared) => advance(experiment, "start", shared, context, body));
    return { status: 200, body: { message: "Experiment successfully started." } };
  },

  async scheduleExperimentStart({ path, body, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment) => schedule(experiment, body.scheduledTime, context));
    return { status: 200, body: { message: "Successfully scheduled experiment start" } };
  },

  async makeExperimentDecision({ path, body, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment) => decide(experiment, body, context));
    return { status: 200, body: { message: "Decision made for Experiment." } };
  },

  async abandonExperiment({ path, body, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment, shared) => abandon(experiment, body, shared, context));
    return { status: 200, body: { message: "Experiment successfully abandoned." } };
  },

  async resetExperiment({ path, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment, shared) => advance(experiment, "reset", shared, context));
    return { status: 200, body: { message: "Experiment successfully restarted." } };
  },

  async archiveExperiment({ path, body, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment, shared) => advance(experiment, "archive", shared, context), {
      reason: body?.archiveReason,
      force: body?.forceArchive,
    });
    return { status: 200, body: { message: "Experiment successfully archived." } };
  },

  async unarchiveExperiment({ path, context, stores }) {
    await writeExperiment(path.id, { context, stores }, (experiment, shared) => advance(experiment, "unarchive", shared, context));
    return { status: 200, body: { message: "Experiment successfully unarchived." } };
  },

  async enableExperimentGroups({ path, body, context, stores }) {
    const data = await writeExperiment(path.id, { context, stores }, (experiment) =>
      toggle(experiment, "enable_groups", body.group_names, context),
    );
    return { status: 201, body: { message: "Experiment updated successfully.", data } };
  },

  async disableExperimentGroups({ path, body, context, stores }) {
    const data = await writeExperiment(path.id, { context, stores }, (experiment) =>
      toggle(experiment, "disable_groups", body.group_names, context),
    );
    return { status: 201, body: { message: "Experiment updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { pageThrough, paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import { productionTiers } from "../environments/environment-set.ts";
import type { Env } from "../stores.ts";
import { changeExperiment, type Experiment, newExperiment } from "./experiment.ts";
import { recreateExperiment, restartAsNew, restoreExperiment } from "./experiment-copy.ts";
import { cumulativeExposures } from "./experiment-exposures.ts";
import type { Group } from "./experiment-groups.ts";
import { type SharedLayer, shipTo } from "./experiment-layer.ts";
import { requireNoOverrides } from "./experiment-overrides.ts";

const UPDATED = "Experiment updated successfully.";

const change: Handlers<operations, Env>["patchExperiment"] = async ({ path, body, context, stores }) => {
  const data = await writeExperiment(path.id, { context, stores }, (experiment, shared) =>
    changeExperiment(experiment, body, shared, context),
  );
  return { status: 200, body: { message: UPDATED, data } };
};

export const experimentHandlers = {
  listExperimentVersions: listVersions("listExperimentVersions", "Experiment", (stores) => stores.experiments),
  restoreExperimentVersion: restoreVersion("Experiment", (stores) => stores.experiments, {
    write: (id, old, env) => writeExperiment(id, env, (experiment, shared) => restoreExperiment(experiment, old, shared, env.context)),
    async recreate(deleted, old, { context, stores }) {
      const shared = await stores.experiments.lockLayer(old);
      const experiment = recreateExperiment(deleted, old, shared, context);
      const overrides = stores.experiments.overrides(experiment.id);
      requireNoOverrides(deleted, experiment, await overrides.getDeleted());
      const data = await stores.experiments.create(experiment);
      await overrides.bringBack();
      return data;
    },
  }),

  async listExperiments({ query, stores }) {
    const filter = pickFilters(query);
    const { data, total } = await stores.experiments.list(filter, toWindow(query));
    const pagination = paginate("/console/v1/experiments", query, total);
    return { status: 200, body: { message: "Experiments listed successfully.", data, pagination } };
  },

  async createExperiment({ body, context, stores }) {
    const shared = await stores.experiments.lockLayer({ layerID: body.layerID ?? null });
    const data = await stores.experiments.create(newExperiment(body, shared, context));
    return { status: 201, body: { message: "Experiment created successfully.", data } };
  },

  async getExperiment({ path, stores }) {
    const data = await stores.experiments.withHealth(await stores.experiments.get(path.id));
    return { status: 200, body: { message: "Experiment read successfully.", data } };
  },

  updateExperiment: change,
  patchExperiment: change,

  async deleteExperiment({ path, query, stores }) {
    const data = await stores.experiments.get(path.id);
    await stores.experiments.delete(data, { force: query.forceArchive });
    return { status: 200, body: { message: "Experiment deleted successfully.", data } };
  },

  async getExperimentCumulativeExposures({ path, query, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const timeZone = await stores.settings.timeZone();
    const message = "Successfully loaded Cumulative Exposures";
    const url = `/console/v1/experiments/${experiment.id}/cumulative_exposures`;
    if (experiment.assignmentSourceName) {
      const reason = "The units come from an assignment source. Its health checks count them with each load.";
      const page = pageThrough(url, query, cumulativeExposures(experiment.groups as Group[], []));
      return { status: 200, body: { message, timeZone, reason, ...page } };
    }
    const exposed = { experimentID: experiment.id, environments: productionTiers(await stores.environments.get()) };
    const counts = await stores.experiments.exposures.count(exposed, experiment.startTime ?? experiment.createdTime, timeZone);
    const page = pageThrough(url, query, cumulativeExposures(experiment.groups as Group[], counts));
    return { status: 200, body: { message, timeZone, ...page } };
  },

  async restartExperimentAsNew({ path, body, context, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const data = await stores.experiments.create(restartAsNew(experiment, body, context));
    return { status: 200, body: { message: "Restart As New Experiment Success", data } };
  },

  async listGateExperimentReferences({ path, query, stores }) {
    const gate = await stores.gates.get(path.id);
    const { data, total } = await stores.experiments.listReferring({ type: "gate", id: gate.id }, toWindow(query));
    const pagination = paginate(`/console/v1/gates/${encodeURIComponent(gate.id)}/experiment_references`, query, total);
    return { status: 200, body: { message: "Experiments listed successfully.", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;

type Change = (experiment: Experiment, shared: SharedLayer | undefined) => Experiment;

/**
 * Changes an experiment with its layer locked. A decision is shipped to the layer in the same transaction.
 * @throws AppError not_found; invalid_request if overrides reference a dropped group; errors of `change`
 */
export async function writeExperiment(
  id: string,
  { context, stores }: Env,
  change: Change,
  options: { reason?: string | undefined; force?: boolean | undefined } = {},
): Promise<Experiment> {
  const experiment = await stores.experiments.get(id);
  const shared = await stores.experiments.lockLayer(experiment);
  const changed = change(experiment, shared);
  if (changed.groups !== experiment.groups) {
    // Writers of overrides lock the experiment too.
    await stores.experiments.get(id, { lock: true });
    requireNoOverrides(experiment, changed, await stores.experiments.overrides(id).get());
  }
  const data = await stores.experiments.replace(experiment, changed, options);
  const isDecided = data.status === "decision_made" && experiment.status !== "decision_made";
  const shipped = isDecided && shared && shipTo(shared.layer, data, context);
  if (shipped) await stores.layers.replace(shared.layer, shipped);
  return stores.experiments.withHealth(data);
}

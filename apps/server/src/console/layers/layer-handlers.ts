import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env, Stores } from "../stores.ts";
import { changeLayer, type Layer, newLayer, restoreLayer } from "./layer.ts";
import { type ExperimentOnLayer, requireNoExperiments } from "./layer-experiments.ts";

const UPDATED = "Layer updated successfully.";

const change: Handlers<operations, Env>["patchLayer"] = async ({ path, body, context, stores }) => {
  const data = await writeLayer(path.id, stores, (layer, experiments) => changeLayer(layer, body, experiments, context));
  return { status: 200, body: { message: UPDATED, data } };
};

export const layerHandlers = {
  listLayerVersions: listVersions("listLayerVersions", "Layer", (stores) => stores.layers),
  restoreLayerVersion: restoreVersion("Layer", (stores) => stores.layers, {
    write: (id, old, { context, stores }) => writeLayer(id, stores, (layer, experiments) => restoreLayer(layer, old, experiments, context)),
    recreate: (deleted, old, { context, stores }) => stores.layers.create(restoreLayer(deleted, old, [], context)),
  }),

  async listLayers({ query, stores }) {
    const { data, total } = await stores.layers.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/layers", query, total);
    return { status: 200, body: { message: "Layers listed successfully.", data, pagination } };
  },

  async createLayer({ body, context, stores }) {
    const data = await stores.layers.create(newLayer(body, context));
    return { status: 201, body: { message: "Layer created successfully.", data } };
  },

  async getLayer({ path, stores }) {
    const data = await stores.layers.get(path.id);
    return { status: 200, body: { message: "Layer read successfully.", data } };
  },

  updateLayer: change,
  patchLayer: change,

  async deleteLayer({ path, query, stores }) {
    const layer = await stores.layers.get(path.id, { lock: true });
    requireNoExperiments(layer.id, await stores.layers.listExperimentsOn(layer.id));
    await stores.layers.delete(layer, { force: query.forceArchive });
    return { status: 200, body: { message: "Layer deleted successfully." } };
  },

  async listLayerExperiments({ path, query, stores }) {
    const { id } = await stores.layers.get(path.id);
    const { data, total } = await stores.experiments.list({ layerID: id }, toWindow(query));
    const pagination = paginate(`/console/v1/layers/${encodeURIComponent(id)}/experiments`, query, total);
    return { status: 200, body: { message: "Layer experiments listed successfully", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;

type Change = (layer: Layer, experiments: ExperimentOnLayer[]) => Layer;

/** Changes a locked layer, so that no experiment joins it during the change. @throws AppError not_found; errors of `change` */
async function writeLayer(id: string, { layers }: Stores, change: Change): Promise<Layer> {
  const layer = await layers.get(id, { lock: true });
  return layers.replace(layer, change(layer, await layers.listExperimentsOn(id)));
}

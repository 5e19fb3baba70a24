import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { newLayer, requireNoExperiments } from "./layer.ts";
import { addOverrides } from "./layer-overrides.ts";

export const layerHandlers = {
  async listLayers({ query, stores }) {
    const { data, total } = await stores.layers.list(toWindow(query));
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

  async deleteLayer({ path, stores }) {
    const layer = await stores.layers.get(path.id);
    requireNoExperiments(layer, await stores.layers.listExperimentsOn(layer.id));
    await stores.layers.delete(layer);
    await stores.layers.overrides(layer.id).delete();
    return { status: 200, body: { message: "Layer deleted successfully." } };
  },

  async getLayerOverrides({ path, stores }) {
    const { id } = await stores.layers.get(path.id);
    const data = await stores.layers.overrides(id).get();
    return { status: 200, body: { message: "Layer Overrides read successfully.", data } };
  },

  async patchLayerOverrides({ path, body, context, stores }) {
    const { id } = await stores.layers.get(path.id);
    const overrides = await stores.layers.overrides(id).get();
    const data = await stores.layers.overrides(id).replace(overrides, addOverrides(overrides, body, context));
    return { status: 200, body: { message: "Layer Overrides updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../stores.ts";
import { addOverrides, removeOverrides, replaceOverrides } from "./layer-overrides.ts";

const UPDATED = "Layer Overrides updated successfully.";

export const layerOverrideHandlers = {
  async getLayerOverrides({ path, stores }) {
    const { id } = await stores.layers.get(path.id);
    const data = await stores.layers.overrides(id).get();
    return { status: 200, body: { message: "Layer Overrides read successfully.", data } };
  },

  async updateLayerOverrides({ path, body, context, stores }) {
    const { id } = await stores.layers.get(path.id);
    const overrides = await stores.layers.overrides(id).get();
    const replaced = replaceOverrides(overrides, body, await stores.layers.listExperimentsOn(id), context);
    const data = await stores.layers.overrides(id, body).replace(overrides, replaced);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async patchLayerOverrides({ path, body, context, stores }) {
    const { id } = await stores.layers.get(path.id);
    const overrides = await stores.layers.overrides(id).get();
    const added = addOverrides(overrides, body, await stores.layers.listExperimentsOn(id), context);
    const data = await stores.layers.overrides(id, body).replace(overrides, added);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async removeLayerOverrides({ path, body, context, stores }) {
    const { id } = await stores.layers.get(path.id);
    const overrides = await stores.layers.overrides(id).get();
    const left = removeOverrides(overrides, body, await stores.layers.listExperimentsOn(id), context);
    const data = await stores.layers.overrides(id, body).replace(overrides, left);
    return { status: 200, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

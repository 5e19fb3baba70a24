import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import type { Env, Stores } from "../../stores.ts";
import { requireInUse } from "./experiment.ts";
import { addOverrides, removeOverrides, replaceOverrides } from "./experiment-overrides.ts";

const UPDATED = "Experiment Overrides updated successfully.";

export const experimentOverrideHandlers = {
  async getExperimentOverrides({ path, stores }) {
    const { id } = await stores.experiments.get(path.id);
    const data = await stores.experiments.overrides(id).get();
    return { status: 200, body: { message: "Experiment Overrides read successfully.", data } };
  },

  async updateExperimentOverrides({ path, body, context, stores }) {
    const data = await write(path.id, body, replaceOverrides, context, stores);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async addExperimentOverrides({ path, body, context, stores }) {
    const data = await write(path.id, body, addOverrides, context, stores);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async removeExperimentOverrides({ path, body, context, stores }) {
    const data = await write(path.id, body, removeOverrides, context, stores);
    return { status: 200, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

async function write(
  id: string,
  given: Parameters<typeof replaceOverrides>[2],
  change: typeof replaceOverrides,
  context: Context,
  stores: Stores,
) {
  const experiment = await stores.experiments.get(id, { lock: true });
  requireInUse(experiment);
  const overrides = await stores.experiments.overrides(id).get();
  return stores.experiments.overrides(id).replace(overrides, change(experiment, overrides, given, context));
}

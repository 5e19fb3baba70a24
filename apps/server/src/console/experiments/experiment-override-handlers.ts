import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import type { Env } from "../stores.ts";
import { type Experiment, requireInUse } from "./experiment.ts";
import { addOverrides, type ExperimentOverrides, removeOverrides, replaceOverrides } from "./experiment-overrides.ts";

const UPDATED = "Experiment Overrides updated successfully.";

export const experimentOverrideHandlers = {
  async getExperimentOverrides({ path, stores }) {
    const { id } = await stores.experiments.get(path.id);
    const data = await stores.experiments.overrides(id).get();
    return { status: 200, body: { message: "Experiment Overrides read successfully.", data } };
  },

  async updateExperimentOverrides({ path, body, context, stores }) {
    const data = await writeOverrides(path.id, { context, stores }, body, replaceOverrides);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async addExperimentOverrides({ path, body, context, stores }) {
    const data = await writeOverrides(path.id, { context, stores }, body, addOverrides);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async removeExperimentOverrides({ path, body, context, stores }) {
    const data = await writeOverrides(path.id, { context, stores }, body, removeOverrides);
    return { status: 200, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

type Change<Given> = (experiment: Experiment, current: ExperimentOverrides, given: Given, context: Context) => ExperimentOverrides;

/** Changes overrides with the experiment locked. @throws AppError not_found; conflict if it is archived; errors of `change` */
async function writeOverrides<Given>(id: string, { context, stores }: Env, given: Given, change: Change<Given>) {
  const experiment = await stores.experiments.get(id, { lock: true });
  requireInUse(experiment);
  const overrides = await stores.experiments.overrides(id).get();
  return stores.experiments.overrides(id).replace(overrides, change(experiment, overrides, given, context));
}

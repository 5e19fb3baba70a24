import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { changeExperiment, newExperiment } from "./experiment.ts";

export const experimentHandlers = {
  async listExperiments({ query, stores }) {
    const { limit, page, ...filter } = query;
    const { data, total } = await stores.experiments.list(filter, toWindow(query));
    const pagination = paginate("/console/v1/experiments", query, total);
    return { status: 200, body: { message: "Experiments listed successfully.", data, pagination } };
  },

  async createExperiment({ body, context, stores }) {
    const data = await stores.experiments.create(newExperiment(body, context));
    return { status: 201, body: { message: "Experiment created successfully.", data } };
  },

  async listGateExperimentReferences({ path, query, stores }) {
    const gate = await stores.gates.get(path.id);
    const { data, total } = await stores.experiments.listReferring({ type: "gate", id: gate.id }, toWindow(query));
    const pagination = paginate(`/console/v1/gates/${encodeURIComponent(gate.id)}/experiment_references`, query, total);
    return { status: 200, body: { message: "Experiments listed successfully.", data, pagination } };
  },

  async getExperiment({ path, stores }) {
    const data = await stores.experiments.get(path.id);
    return { status: 200, body: { message: "Experiment read successfully.", data } };
  },

  async patchExperiment({ path, body, context, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const data = await stores.experiments.replace(experiment, changeExperiment(experiment, body, context));
    return { status: 200, body: { message: "Experiment updated successfully.", data } };
  },

  async deleteExperiment({ path, stores }) {
    await stores.experiments.delete(await stores.experiments.get(path.id));
    return { status: 200, body: { message: "Experiment deleted successfully." } };
  },

  async listExperimentVersions({ path, query, stores }) {
    const { data, total } = await stores.experiments.listVersions(path.id, toWindow(query));
    const pagination = paginate(`/console/v1/experiments/${encodeURIComponent(path.id)}/versions`, query, total);
    return { status: 200, body: { message: "Experiment versions listed successfully.", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;

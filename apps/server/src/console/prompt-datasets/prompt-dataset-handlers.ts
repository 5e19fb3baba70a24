import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changePromptDataset, newPromptDataset } from "./prompt-dataset.ts";

export const promptDatasetHandlers = {
  listPromptDatasetVersions: listVersions("listPromptDatasetVersions", "Prompt dataset", (stores) => stores.promptDatasets),
  restorePromptDatasetVersion: restoreVersion("Prompt dataset", (stores) => stores.promptDatasets),

  async listPromptDatasets({ query, stores }) {
    const { data, total } = await stores.promptDatasets.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/prompt_datasets", query, total);
    return { status: 200, body: { message: "Prompt datasets listed successfully.", data, pagination } };
  },

  async createPromptDataset({ body, context, stores }) {
    const data = await stores.promptDatasets.create(newPromptDataset(body, context));
    return { status: 201, body: { message: "Prompt dataset created successfully.", data } };
  },

  async getPromptDataset({ path, stores }) {
    const data = await stores.promptDatasets.get(path.id);
    return { status: 200, body: { message: "Prompt dataset read successfully.", data } };
  },

  async patchPromptDataset({ path, body, context, stores }) {
    const dataset = await stores.promptDatasets.get(path.id);
    const data = await stores.promptDatasets.replace(dataset, changePromptDataset(dataset, body, context));
    return { status: 200, body: { message: "Prompt dataset updated successfully.", data } };
  },

  async deletePromptDataset({ path, query, stores }) {
    await stores.promptDatasets.delete(await stores.promptDatasets.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Prompt dataset deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;

import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeReleasePipeline, newReleasePipeline } from "./release-pipeline.ts";

/** Creations and updates respond with this message too, as existing clients expect. */
const READ = "Get pipeline success";

export const releasePipelineHandlers = {
  listReleasePipelineVersions: listVersions("listReleasePipelineVersions", "Release pipeline", (stores) => stores.releasePipelines),
  restoreReleasePipelineVersion: restoreVersion("Release pipeline", (stores) => stores.releasePipelines),

  async listReleasePipelines({ query, stores }) {
    const { data, total } = await stores.releasePipelines.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/release_pipelines", query, total);
    return { status: 200, body: { message: "List pipelines success", data, pagination } };
  },

  async createReleasePipeline({ body, context, stores }) {
    const { id, ...given } = body;
    const isFree = id !== undefined && (await stores.releasePipelines.reserve(id));
    const data = await stores.releasePipelines.create(newReleasePipeline(isFree ? body : given, context));
    return { status: 200, body: { message: READ, data } };
  },

  async getReleasePipeline({ path, stores }) {
    const data = await stores.releasePipelines.get(path.id);
    return { status: 200, body: { message: READ, data } };
  },

  async updateReleasePipeline({ path, body, context, stores }) {
    const pipeline = await stores.releasePipelines.get(path.id);
    const data = await stores.releasePipelines.replace(pipeline, changeReleasePipeline(pipeline, body, context));
    return { status: 200, body: { message: READ, data } };
  },

  async deleteReleasePipeline({ path, query, stores }) {
    await stores.releasePipelines.delete(await stores.releasePipelines.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Pipeline deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;

import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { AnalysisEnv } from "../stores.ts";
import { previewedQuery } from "../warehouse/rows-preview.ts";
import { changeEntityPropertySource, newEntityPropertySource } from "./entity-property-source.ts";

const change: Handlers<operations, AnalysisEnv>["patchEntityPropertySource"] = async ({ path, body, context, stores }) => {
  const source = await stores.entityPropertySources.get(path.name);
  const data = await stores.entityPropertySources.replace(source, changeEntityPropertySource(source, body, context));
  return { status: 200, body: { message: "Entity property source updated successfully.", data } };
};

export const entityPropertySourceHandlers = {
  listEntityPropertySourceVersions: listVersions(
    "listEntityPropertySourceVersions",
    "Entity property source",
    (stores) => stores.entityPropertySources,
  ),
  restoreEntityPropertySourceVersion: restoreVersion("Entity property source", (stores) => stores.entityPropertySources),

  async listEntityPropertySources({ query, stores }) {
    const { data, total } = await stores.entityPropertySources.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/experiments/entity_properties", query, total);
    return { status: 200, body: { message: "Entity property sources listed successfully.", data, pagination } };
  },

  async createEntityPropertySource({ body, context, stores }) {
    const data = await stores.entityPropertySources.create(newEntityPropertySource(body, context));
    return { status: 201, body: { message: "Entity property source created successfully.", data } };
  },

  async getEntityPropertySource({ path, stores }) {
    const data = await stores.entityPropertySources.get(path.name);
    return { status: 200, body: { message: "Entity property source read successfully.", data } };
  },

  updateEntityPropertySource: change,
  patchEntityPropertySource: change,

  async deleteEntityPropertySource({ path, query, stores }) {
    await stores.entityPropertySources.delete(await stores.entityPropertySources.get(path.name), { force: query.forceArchive });
    return { status: 200, body: { message: "Entity property source deleted successfully." } };
  },

  async previewEntityPropertySource({ body, ...env }) {
    const data = await previewedQuery(body, env);
    return { status: 200, body: { message: "Entity property source previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

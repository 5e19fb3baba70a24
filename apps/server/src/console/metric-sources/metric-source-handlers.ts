import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { AnalysisEnv } from "../stores.ts";
import { previewedSource } from "../warehouse/rows-preview.ts";
import { changeMetricSource, newMetricSource } from "./metric-source.ts";

export const metricSourceHandlers = {
  listMetricSourceVersions: listVersions("listMetricSourceVersions", "Metric source", (stores) => stores.metricSources),
  restoreMetricSourceVersion: restoreVersion("Metric source", (stores) => stores.metricSources),

  async listMetricSources({ query, stores }) {
    const { data, total } = await stores.metricSources.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/metrics/metric_source/list", query, total);
    return { status: 200, body: { message: "Metric sources listed successfully.", data, pagination } };
  },

  async createMetricSource({ body, context, stores }) {
    const data = await stores.metricSources.create(newMetricSource(body, context));
    return { status: 201, body: { message: "Metric source created successfully.", data } };
  },

  async getMetricSource({ path, stores }) {
    const data = await stores.metricSources.get(path.name);
    return { status: 200, body: { message: "Metric source read successfully.", data } };
  },

  async updateMetricSource({ path, body, context, stores }) {
    const source = await stores.metricSources.get(path.name);
    const data = await stores.metricSources.replace(source, changeMetricSource(source, body, context));
    return { status: 200, body: { message: "Metric source updated successfully.", data } };
  },

  async deleteMetricSource({ path, query, stores }) {
    await stores.metricSources.delete(await stores.metricSources.get(path.name), { force: query.forceArchive });
    return { status: 200, body: { message: "Metric source deleted successfully." } };
  },

  async previewMetricSource({ body, ...env }) {
    const data = await previewedSource(body, env);
    return { status: 200, body: { message: "Metric source previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { metricID } from "../common/named.ts";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { cancelArchive, changeMetric, newMetric, restoreMetric, scheduleArchive, unarchiveMetric } from "./metric.ts";

const LISTED = "Metrics listed successfully.";
const READ = "Metric read successfully.";

export const metricHandlers = {
  listMetricVersions: listVersions("listMetricVersions", "Metric", (stores) => stores.metrics),
  restoreMetricVersion: restoreVersion("Metric", (stores) => stores.metrics, { restore: restoreMetric }),

  async listMetrics({ query, stores }) {
    const { data, total } = await stores.metrics.list(pickFilters(query), toWindow(query));
    return { status: 200, body: { message: LISTED, data, pagination: paginate("/console/v1/metrics/list", query, total) } };
  },

  async createMetric({ body, context, stores }) {
    const data = await stores.metrics.create(newMetric(body, context));
    return { status: 201, body: { message: "Metric created successfully.", data } };
  },

  async getMetric({ path, stores }) {
    return { status: 200, body: { message: READ, data: await stores.metrics.read(path.id) } };
  },

  async getMetricByName({ path, stores }) {
    return { status: 200, body: { message: READ, data: await stores.metrics.read(metricID(path)) } };
  },

  async updateMetric({ path, body, context, stores }) {
    const metric = await stores.metrics.get(path.id);
    const data = await stores.metrics.replace(metric, changeMetric(metric, body, context));
    return { status: 200, body: { message: "Metric updated successfully.", data } };
  },

  async deleteMetric({ path, query, stores }) {
    await stores.metrics.delete(await stores.metrics.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Metric deleted successfully." } };
  },

  async scheduleMetricArchive({ path, context, stores }) {
    const metric = await stores.metrics.get(path.id);
    const scheduled = scheduleArchive(metric, context);
    await stores.metrics.requireUnreferenced(metric);
    const data = await stores.metrics.replace(metric, scheduled);
    return { status: 200, body: { message: "Metric archive scheduled successfully for next day.", data } };
  },

  async cancelMetricArchive({ path, context, stores }) {
    const metric = await stores.metrics.get(path.id);
    const data = await stores.metrics.replace(metric, cancelArchive(metric, context));
    return { status: 200, body: { message: "Metric archival cancelled successfully.", data } };
  },

  async unarchiveMetric({ path, context, stores }) {
    const metric = await stores.metrics.get(path.id);
    const data = await stores.metrics.replace(metric, unarchiveMetric(metric, context));
    return { status: 200, body: { message: "Metric unarchived successfully.", data } };
  },

  async listMetricExperiments({ path, query, stores }) {
    const { id } = await stores.metrics.read(path.id);
    const { data, total } = await stores.experiments.listReferring({ type: "metric", id }, toWindow(query), pickFilters(query));
    const pagination = paginate(`/console/v1/metrics/${encodeURIComponent(id)}/experiments`, query, total);
    return { status: 200, body: { message: LISTED, data, pagination } };
  },

  async listEventMetrics({ path, query, stores }) {
    const { data, total } = await stores.metrics.listOfEvent(path.eventName, toWindow(query));
    const pagination = paginate(`/console/v1/events/${encodeURIComponent(path.eventName)}/metrics`, query, total);
    return { status: 200, body: { message: LISTED, data, pagination } };
  },

  async listMetricSourceMetrics({ path, query, stores }) {
    const { name } = await stores.metricSources.get(path.name);
    const { data, total } = await stores.metrics.listReferring({ type: "metric_source", id: name }, toWindow(query));
    const pagination = paginate(`/console/v1/metrics/metric_source/${encodeURIComponent(name)}/metrics`, query, total);
    return { status: 200, body: { message: LISTED, data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;

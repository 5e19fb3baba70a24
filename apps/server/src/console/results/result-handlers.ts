import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { dateOf } from "../../results/day.ts";
import { pulseOf } from "../../results/pulse.ts";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { lastLoaded, loadedMetrics } from "./experiment-metrics.ts";
import { askedOf } from "./experiment-pulse.ts";
import { answerOf, newLoad, requireNoneRunning, requireUnfinished } from "./pulse-load.ts";

export const resultHandlers = {
  async startExperimentPulseLoad({ path, body, context, stores }) {
    // The lock lets one load run at a time.
    const experiment = await stores.experiments.get(path.id, { lock: true });
    const [latest] = (await stores.results.listLoads(experiment.id, { skip: 0, take: 1 })).data;
    requireNoneRunning(latest);
    const load = newLoad(experiment, body ?? {}, await stores.results.loadable(experiment, context.now), context);
    await stores.results.addLoad(load);
    return { status: 200, body: { message: "Experiment is loading.", data: answerOf(load) } };
  },

  async listExperimentPulseLoads({ path, query, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const { data, total } = await stores.results.listLoads(experiment.id, toWindow(query));
    const pagination = paginate(`/console/v1/experiments/${encodeURIComponent(experiment.id)}/pulse_load_history`, query, total);
    return { status: 200, body: { message: "Pulse loads listed successfully.", data: data.map(answerOf), pagination } };
  },

  async getExperimentPulseLoad({ path, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const load = await stores.results.getLoad(experiment.id, path.dagID);
    const data = { ...answerOf(load), jobs: load.jobs, metrics: load.metrics };
    return { status: 200, body: { message: "Pulse load read successfully.", data } };
  },

  async cancelExperimentPulseLoad({ path, context, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const load = await stores.results.getLoad(experiment.id, path.dagID, { lock: true });
    requireUnfinished(load);
    await stores.results.cancelLoad(load, context.now);
    return { status: 200, body: { message: "Pulse load cancelled successfully." } };
  },

  async getExperimentPulseResults({ path, query, context, stores }) {
    const experiment = await stores.experiments.get(path.id);
    const withDays = query.series === true || query.date !== undefined;
    const [roles, moments] = await Promise.all([stores.results.rolesOf(experiment), stores.results.listMoments(experiment, { withDays })]);
    const ids = [...roles.keys(), ...moments.map(({ metricID }) => metricID)];
    const metrics = loadedMetrics(experiment, roles, await stores.metrics.findAll(ids), moments);
    const last = lastLoaded(metrics);
    const asked = askedOf(experiment, query, last);
    const results = pulseOf(metrics, asked);
    const inRole = (role: string) => results.filter((_, index) => metrics[index]?.role === role);
    const data = {
      ds: dateOf(asked.day ?? last ?? context.now),
      primaryMetrics: inRole("primary"),
      secondaryMetrics: inRole("secondary"),
      otherMetrics: inRole("other"),
    };
    return { status: 200, body: { message: "Successfully loaded Pulse Results", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

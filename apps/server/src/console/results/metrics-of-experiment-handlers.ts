import type { AskedMetric } from "../../results/pulse/pulse.ts";
import { subjectOfExperiment } from "../../results/pulse/subject.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Stores } from "../stores.ts";
import { loadedMetrics, readPlans } from "./loaded-metrics.ts";

type Days = { withDays: boolean };

/** The metrics of an experiment, with the findings of its present run's loads; with the days on request. */
export async function metricsOfExperiment(experiment: Experiment, stores: Stores, days: Days): Promise<AskedMetric[]> {
  return (await readMetrics(experiment, stores, days, [])).metrics;
}

/** The same with the definitions that the metrics are computed by. */
export async function metricsWithDefinitions(experiment: Experiment, stores: Stores, days: Days) {
  const { metrics, known } = await readMetrics(experiment, stores, days, []);
  const components = await stores.metrics.findAll(known.flatMap(({ lineage }) => lineage.metrics));
  return { metrics, definitions: new Map([...components, ...known].map((one) => [one.id, one])) };
}

/** A metric among those of an experiment, which share α with it, and the definitions that it is computed by. */
export async function metricAmongOthers(experiment: Experiment, metricID: string, stores: Stores, days: Days) {
  const { metrics, known } = await readMetrics(experiment, stores, days, [metricID]);
  const own = known.find((one) => one.id === metricID);
  const named = metrics.find((one) => one.metricID === metricID);
  const metric: AskedMetric = named ?? { metricID, role: "other", metric: own, moments: undefined, prior: undefined };
  const components = await stores.metrics.findAll(own?.lineage.metrics ?? []);
  return {
    metrics: named ? metrics : [...metrics, metric],
    metric,
    definitions: new Map([...components, ...known].map((one) => [one.id, one])),
  };
}

/** @param also ids of metrics whose definitions are read too */
async function readMetrics(experiment: Experiment, { results, metrics }: Stores, { withDays }: Days, also: readonly string[]) {
  const { id, startTime } = experiment;
  const [roles, moments] = await Promise.all([
    results.readRoles(experiment),
    startTime === null ? [] : results.listMoments(subjectOfExperiment(id), startTime, { withDays }),
  ]);
  const known = await metrics.findAll([...roles.keys(), ...moments.map((one) => one.metricID), ...also]);
  return { metrics: loadedMetrics(roles, known, moments, readPlans(experiment)), known };
}

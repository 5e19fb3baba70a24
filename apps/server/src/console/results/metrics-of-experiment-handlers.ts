import type { AskedMetric } from "../../results/pulse.ts";
import { subjectOfExperiment } from "../../results/subject.ts";
import type { Stores } from "../../stores.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { loadedMetrics, priorsOf } from "./loaded-metrics.ts";

/** The metrics of an experiment, with what the loads of its present run found out; with the days if asked. */
export async function metricsOfExperiment(
  experiment: Experiment,
  { results, metrics }: Stores,
  { withDays }: { withDays: boolean },
): Promise<AskedMetric[]> {
  const { id, startTime } = experiment;
  const [roles, moments] = await Promise.all([
    results.rolesOf(experiment),
    startTime === null ? [] : results.listMoments(subjectOfExperiment(id), startTime, { withDays }),
  ]);
  const ids = [...roles.keys(), ...moments.map((one) => one.metricID)];
  return loadedMetrics(roles, await metrics.findAll(ids), moments, priorsOf(experiment));
}

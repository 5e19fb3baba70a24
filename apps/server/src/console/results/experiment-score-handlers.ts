import { setImmediate as letOthersRun } from "node:timers/promises";
import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import type { TimeZone } from "../../common/time-zone.ts";
import { type AskedMetric, computePulses } from "../../results/pulse/pulse.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Env, Stores } from "../stores.ts";
import { resolveQuery } from "./experiment-pulse.ts";
import { toScorecard } from "./experiment-scorecard.ts";
import { lastLoaded, zoneLoaded } from "./loaded-days.ts";
import { loadedMetrics, readPlans } from "./loaded-metrics.ts";

/** Each costs the results of all metrics. */
const MAX_GROUPS = 10;

export const experimentScoreHandlers = {
  async getExperimentScores({ query = {}, stores }) {
    const experiments = await stores.experiments.findAll(query.experiments ?? []);
    const [timeZone, openAlerts, metrics] = await Promise.all([
      stores.settings.timeZone(),
      stores.experiments.guardrails.listOpenOf(experiments.map(({ id }) => id)),
      readMetrics(experiments, stores),
    ]);
    const scores: Schema<"ExperimentScore">[] = [];
    for (const experiment of experiments) {
      const alerted = openAlerts.filter(({ subjectID }) => subjectID === experiment.id);
      const groups = scoreGroups(experiment, {
        metrics: metrics.get(experiment.id) ?? [],
        timeZone,
        openAlerts: alerted.map(({ partID, metricID }) => ({ groupID: partID, metricID })),
      });
      scores.push({ experimentID: experiment.id, groups });
      await letOthersRun();
    }
    return { status: 200, body: { message: "Experiment scores read successfully.", data: { experiments: scores } } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** The metrics of experiments with the findings of their present runs, read together. */
async function readMetrics(experiments: readonly Experiment[], { results, metrics }: Stores): Promise<Map<string, AskedMetric[]>> {
  // The verdicts of a sequential test are those of the planned end, which needs the days.
  const runs = experiments.flatMap(({ id, startTime, sequentialTesting }) =>
    startTime === null ? [] : [{ id, startTime, withDays: sequentialTesting === true }],
  );
  const [roles, moments] = await Promise.all([
    Promise.all(experiments.map(async (experiment) => ({ experiment, roles: await results.readRoles(experiment) }))),
    results.listMomentsOf(runs),
  ]);
  const loaded = [...moments.values()].flat().map(({ metricID }) => metricID);
  const known = await metrics.findAll([...new Set([...roles.flatMap((one) => [...one.roles.keys()]), ...loaded])]);
  return new Map(
    roles.map(({ experiment, roles: own }) => [
      experiment.id,
      loadedMetrics(own, known, moments.get(experiment.id) ?? [], readPlans(experiment)),
    ]),
  );
}

type Known = { metrics: readonly AskedMetric[]; timeZone: TimeZone; openAlerts: readonly { groupID: string; metricID: string }[] };

/** The scores of an experiment's first test groups, by its own plan; empty before the start. */
function scoreGroups(experiment: Experiment, { metrics, openAlerts, ...known }: Known): Schema<"ExperimentScore">["groups"] {
  const groupIDs = experiment.groups.flatMap(({ id }) => id ?? []);
  const control = groupIDs.find((id) => id === experiment.controlGroupID) ?? groupIDs[0];
  if (control === undefined || experiment.startTime === null) return [];
  const last = lastLoaded(metrics);
  const timeZone = zoneLoaded(metrics) ?? known.timeZone;
  const tests = groupIDs.filter((id) => id !== control).slice(0, MAX_GROUPS);
  const results = computePulses(
    metrics,
    tests.map((test) => resolveQuery(experiment, { control, test }, last, timeZone)),
  );
  const firstPrimary = metrics.findIndex(({ role }) => role === "primary");
  return tests.flatMap((test, index) => {
    const own = results[index] ?? [];
    const scorecard = toScorecard(experiment, test, own, { metrics, last, timeZone, openAlerts });
    const primaryMetric = own[firstPrimary];
    return scorecard ? [{ groupID: test, recommendation: scorecard.recommendation, ...(primaryMetric && { primaryMetric }) }] : [];
  });
}

import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { toDate } from "../../common/local-day.ts";
import { divided } from "../../results/plans/load-parts.ts";
import { askSums } from "../../results/pulse/ask-sums.ts";
import { type CrossedGroups, type CrossedMetric, countCrossed, crossMetric, withCorrection } from "../../results/pulse/interactions.ts";
import type { DailySums } from "../../results/pulse/sums.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { type CrossedRow, crossedCounts } from "../../results/sql/crossed-counts.ts";
import type { MomentsRow } from "../../results/sql/moments-query.ts";
import type { Statement } from "../../results/sql/statement.ts";
import { createAnalysis, experimentUnitSource } from "../../results/sql/unit-source.ts";
import { productionTiers } from "../environments/environment-set.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { AnalysisEnv, Stores } from "../stores.ts";
import { lastLoaded, zoneLoaded } from "./loaded-days.ts";
import { metricsOfExperiment } from "./metrics-of-experiment-handlers.ts";

type Interaction = Schema<"ExperimentInteraction">;

/** Each other experiment costs two passes over exposures, and one over events. */
const MAX_EXPERIMENTS = 5;
const MAX_METRICS = 5;

const NOTHING_LOADED = "No results update has computed the experiment yet.";
const ON_WAREHOUSE = "The units of the experiment are on a warehouse, where those of other experiments aren't known.";

export const interactionHandlers = {
  async getExperimentInteractions({ path, query, context, stores, analyse }) {
    const experiment = await stores.experiments.get(path.id);
    const message = "Experiment interactions read successfully.";
    const without = (reason: string) => ({ status: 200 as const, body: { message, data: { interactions: [], reason } } });
    if (isOnWarehouse(experiment)) return without(ON_WAREHOUSE);
    const all = await metricsOfExperiment(experiment, stores, { withDays: false });
    const [last, timeZone, { startTime }] = [lastLoaded(all), zoneLoaded(all), experiment];
    if (last === undefined || timeZone === undefined || startTime === null) return without(NOTHING_LOADED);
    const endTime = last + 1;
    const overlapping = await findOthers(experiment, { startTime, endTime }, query.otherID, stores);
    const primary = all.filter(({ role }) => role === "primary").slice(0, MAX_METRICS);
    const metrics = await readMetrics(
      experiment,
      primary.map(({ metricID }) => metricID),
      stores,
    );
    const scope = {
      projectID: context.projectID,
      environments: productionTiers(await stores.environments.get()),
      startTime,
      endTime,
      timeZone,
    };
    const { dialect } = stores.events;
    const alpha = 1 - Number(experiment.defaultConfidenceInterval) / 100;
    const interactions: Interaction[] = [];
    for (const other of overlapping.slice(0, MAX_EXPERIMENTS)) {
      const analysisFor = (plans: Parameters<typeof createAnalysis>[1]["plans"]) =>
        crossed(createAnalysis(experimentUnitSource(experiment), { ...scope, plans, isWithoutDays: true }), other);
      const groups: CrossedGroups = { groupIDs: listGroups(experiment), otherGroupIDs: listGroups(other) };
      const counts = countCrossed(await analyse<CrossedRow>(crossedCounts(analysisFor([]), dialect)), groups);
      const crossedMetrics: CrossedMetric[] = [];
      for (const part of metrics) {
        const plans = part.map(({ plan }) => plan);
        const ask = async (statement: Statement) => (await analyse<MomentsRow>(statement)).map(toPairOfGroups);
        const sums = await askSums(ask, plans, analysisFor(plans), dialect);
        for (const [index, { metric, plan }] of part.entries())
          crossedMetrics.push({
            ...{ metricID: metric.id, metricName: metric.name, isRatio: plan.denominator !== undefined },
            byOtherGroup: toSumsByOtherGroup(sums[index] ?? []),
          });
      }
      const { id: experimentID, name: experimentName } = other;
      interactions.push({
        experimentID,
        experimentName,
        ...counts,
        metrics: crossedMetrics.map((metric) => crossMetric(metric, groups, alpha)),
      });
    }
    const data = { ds: toDate(last, timeZone), alpha, interactions: withCorrection(interactions, alpha) };
    return { status: 200, body: { message, data: { ...data, moreExperiments: Math.max(0, overlapping.length - MAX_EXPERIMENTS) } } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

const isOnWarehouse = ({ assignmentSourceName, qualifyingEventName }: Experiment) => Boolean(assignmentSourceName || qualifyingEventName);

/** The experiments that ran on units of the same type in a time, the last started first. @throws AppError invalid_request for another one */
async function findOthers(
  experiment: Experiment,
  time: { startTime: number; endTime: number },
  otherID: string | undefined,
  { experiments }: Pick<Stores, "experiments">,
): Promise<Experiment[]> {
  const found = await experiments.listOverlapping(experiment, time, otherID);
  const compared = found.filter((other) => !isOnWarehouse(other));
  if (otherID !== undefined && compared.length === 0)
    throw invalid([
      { property: "otherID", errorMessage: `names no experiment that logs exposures of ${experiment.idType} at the same time` },
    ]);
  return compared;
}

/** The metrics of events, as statements compute them together. */
async function readMetrics(experiment: Experiment, ids: readonly string[], { metrics }: Pick<Stores, "metrics">) {
  const known = await metrics.findAll(ids);
  const components = await metrics.findAll(known.flatMap(({ lineage }) => lineage.metrics));
  const definitions = new Map([...components, ...known].map((metric) => [metric.id, metric]));
  const { parts } = divided(ids, definitions, experimentUnitSource(experiment));
  return parts.filter((part) => part.every(({ plan }) => plan.from === undefined));
}

/** The ids of the groups, that of the control group first. */
function listGroups({ groups, controlGroupID }: Experiment): string[] {
  const ids = groups.flatMap(({ id }) => (id ? [id] : []));
  const control = ids.find((id) => id === controlGroupID) ?? ids[0] ?? "";
  return [control, ...ids.filter((id) => id !== control)];
}

/** The analysis of the units that saw one group of the other experiment too, which divides them. */
function crossed(analysis: Analysis, other: Experiment): Analysis {
  const { exposureSource } = analysis;
  if (exposureSource.type !== "experiment") return analysis;
  const { id, startTime } = other;
  return {
    ...analysis,
    exposureSource: { ...exposureSource, crossed: { id, groupIDs: listGroups(other), startTime: startTime ?? 0 } },
    dimension: { of: "fields" },
  };
}

/** Sums are added up by group, so a pair of groups takes its place. */
const toPairOfGroups = (row: MomentsRow): MomentsRow => ({ ...row, grp: JSON.stringify([row.grp, row.dim]) });

function toSumsByOtherGroup(sums: readonly DailySums[]): Map<string, DailySums[]> {
  const byOther = new Map<string, DailySums[]>();
  for (const one of sums) {
    const [groupID, other] = JSON.parse(one.groupID) as [string, string];
    byOther.set(other, [...(byOther.get(other) ?? []), { ...one, groupID }]);
  }
  return byOther;
}

import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { analysisOf, comparedByExperiment } from "../../results/analysis.ts";
import { dateOf } from "../../results/day.ts";
import type { Analysis } from "../../results/days.ts";
import type { Dialect } from "../../results/dialect.ts";
import { countsIn, type DimensionCounts, type DimensionRow, dimensionCounts } from "../../results/dimension-counts.ts";
import { addUpTo, resultsByPart } from "../../results/dimension-results.ts";
import { exposuresByField } from "../../results/dimensional-exposures.ts";
import { divided } from "../../results/load-parts.ts";
import { UNITS_ON_WAREHOUSE } from "../../results/metric-plan.ts";
import { type MomentsRow, momentsQuery } from "../../results/moments-query.ts";
import { pulseOf } from "../../results/pulse.ts";
import type { Analyse, AnalysisEnv, Stores } from "../../stores.ts";
import { productionTiers } from "../environments/environment-set.ts";
import { askedOf } from "./experiment-pulse.ts";
import { metricAmongOthers } from "./metrics-of-experiment-handlers.ts";
import { runOfExperiment } from "./pulse-load.ts";

/** The most fields by which results are computed if none is asked for: each costs a pass over the events. */
const MAX_DIMENSIONS = 5;

const NOTHING_LOADED = "No load has computed it yet.";
const NOT_DIVIDED = "It is not computed by dimension.";

export const dimensionHandlers = {
  async getExperimentDimensionalExposures({ path, context, stores, analyse }) {
    const experiment = await stores.experiments.get(path.id);
    const message = "Successfully loaded Dimensional Exposures";
    if (experiment.startTime === null) return { status: 200, body: { message, data: { dimensions: [] } } };
    const compared = comparedByExperiment(experiment);
    if (compared.assignmentSource !== undefined)
      return { status: 200, body: { message, data: { dimensions: [], reason: UNITS_ON_WAREHOUSE } } };
    const timeZone = await stores.settings.timeZone();
    const { startTime, endTime } = runOfExperiment(experiment, context.now, timeZone);
    const analysis = analysisOf(compared, {
      ...{ projectID: context.projectID, environments: await environmentsOf(stores), startTime, endTime, timeZone },
      ...{ preMs: 0, isWithoutDays: true },
    });
    const counts = await countsOf(analysis, undefined, stores.events.dialect, analyse);
    const data = { startTime, endTime, dimensions: counts.map((one) => exposuresByField(one, experiment)) };
    return { status: 200, body: { message, data } };
  },

  async getExperimentPulseMetricResult({ path, query, context, stores, analyse }) {
    const experiment = await stores.experiments.get(path.id);
    const { metrics, metric, definitions } = await metricAmongOthers(experiment, query.metricID, stores, {
      withDays: query.date !== undefined,
    });
    const { moments } = metric;
    const timeZone = moments?.timeZone ?? (await stores.settings.timeZone());
    const asked = askedOf(experiment, query, moments && moments.endTime - 1, timeZone);
    const message = "Successfully loaded Pulse Metric Result";
    const ds = dateOf(asked.day ?? (moments ? moments.endTime - 1 : context.now), timeZone);
    const without = (reason: string) => ({ status: 200 as const, body: { message, data: { ds, timeZone, dimensionResults: [], reason } } });
    const { alpha, reason } = pulseOf(metrics, asked)[metrics.indexOf(metric)] as Schema<"PulseMetric">;
    if (!moments || alpha === undefined) return without(reason ?? NOTHING_LOADED);
    const { latest } = moments;
    const compared = comparedByExperiment(experiment);
    const { parts, refused } = divided([query.metricID], definitions, compared);
    const plan = parts[0]?.[0]?.plan;
    if (!plan || latest.groups === undefined) return without(refused[0]?.reason ?? NOT_DIVIDED);
    const analysis = analysisOf(compared, {
      ...{
        projectID: context.projectID,
        environments: await environmentsOf(stores),
        startTime: moments.startTime,
        endTime: moments.endTime,
        timeZone,
      },
      ...{ preMs: plan.preMs, isWithoutDays: asked.day === undefined },
    });
    const counts = (await countsOf(analysis, query.dimension, stores.events.dialect, analyse)).slice(0, MAX_DIMENSIONS);
    if (counts.length === 0) return without("No field of users divides the units.");
    const version = definitions.get(query.metricID)?.version ?? null;
    const computed = { ...metric, moments: { ...moments, latest, loadedTime: context.now, version } };
    const dimensionResults: Schema<"PulseDimensionResult">[] = [];
    let matchesLoad = true;
    for (const one of counts) {
      const dimension = { of: "values" as const, field: one.field, values: one.values.map(({ value }) => value) };
      const rows = await analyse<MomentsRow>(momentsQuery([plan], { ...analysis, dimension }, stores.events.dialect));
      dimensionResults.push(...resultsByPart(computed, one, rows, alpha, asked));
      matchesLoad &&= addUpTo(latest.groups, rows);
    }
    return { status: 200, body: { message, data: { ds, timeZone, dimensionResults, matchesLoad } } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

const environmentsOf = async ({ environments }: Stores) => productionTiers(await environments.get());

/** @param field undefined for those that divide units well */
async function countsOf(analysis: Analysis, field: string | undefined, dialect: Dialect, analyse: Analyse): Promise<DimensionCounts[]> {
  return countsIn(await analyse<DimensionRow>(dimensionCounts(analysis, field, dialect)), field);
}

import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { toDate } from "../../common/local-day.ts";
import { divided } from "../../results/plans/load-parts.ts";
import { addUpTo, resultsByPart } from "../../results/pulse/dimension-results.ts";
import { exposuresByField } from "../../results/pulse/dimensional-exposures.ts";
import { computePulse } from "../../results/pulse/pulse.ts";
import { NOTHING_LOADED } from "../../results/pulse/reasons.ts";
import { basesIn } from "../../results/pulse/sums.ts";
import { type MomentsRow, momentsQuery } from "../../results/sql/moments-query.ts";
import { createAnalysis, experimentUnitSource } from "../../results/sql/unit-source.ts";
import { explainFailure } from "../../warehouse/source-tables.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import { productionTiers } from "../environments/environment-set.ts";
import type { AnalysisEnv, Stores } from "../stores.ts";
import { openDivisions } from "./divisions-handlers.ts";
import { resolveQuery } from "./experiment-pulse.ts";
import { metricAmongOthers } from "./metrics-of-experiment-handlers.ts";
import { runOfExperiment } from "./pulse-load.ts";
import { plannedEnd } from "./results-end.ts";

/** The maximum number of fields in results without requested ones: each costs a pass over the events. */
const MAX_DIMENSIONS = 5;

const NOT_DIVIDED = "It is not computed by dimension.";

export const dimensionHandlers = {
  async getExperimentDimensionalExposures({ path, query, ...env }) {
    const { context, stores } = env;
    const experiment = await stores.experiments.get(path.id);
    const message = "Successfully loaded Dimensional Exposures";
    if (experiment.startTime === null) return { status: 200, body: { message, data: { dimensions: [] } } };
    const timeZone = await stores.settings.timeZone();
    const { startTime, endTime } = runOfExperiment(experiment, context.now, timeZone);
    const analysis = createAnalysis(experimentUnitSource(experiment), {
      ...{ projectID: context.projectID, environments: await readProductionTiers(stores), startTime, endTime, timeZone },
      ...{ plans: [], isWithoutDays: true },
    });
    const { counts } = openDivisions(experiment, [], env);
    const found = await readingWarehouse(() => counts(analysis, query.dimension));
    if ("failure" in found) return { status: 200, body: { message, data: { dimensions: [], reason: explainFailure(found.failure) } } };
    const data = { startTime, endTime, dimensions: found.value.map((one) => exposuresByField(one, experiment)) };
    return { status: 200, body: { message, data } };
  },

  async getExperimentPulseMetricResult({ path, query, ...env }) {
    const { context, stores } = env;
    const experiment = await stores.experiments.get(path.id);
    // After the planned end, verdicts are those of that day.
    const zone = await stores.settings.timeZone();
    const { sequentialTesting = false } = experiment;
    const hasEnded = sequentialTesting && (plannedEnd(experiment, zone) ?? Number.POSITIVE_INFINITY) <= context.now;
    const { metrics, metric, definitions } = await metricAmongOthers(experiment, query.metricID, stores, {
      withDays: query.date !== undefined || hasEnded,
    });
    const { moments } = metric;
    const timeZone = moments?.timeZone ?? zone;
    const asked = resolveQuery(experiment, query, moments && moments.endTime - 1, timeZone);
    const message = "Successfully loaded Pulse Metric Result";
    const ds = toDate(asked.day ?? (moments ? moments.endTime - 1 : context.now), timeZone);
    const without = (reason: string) => ({ status: 200 as const, body: { message, data: { ds, timeZone, dimensionResults: [], reason } } });
    const { alpha, reason } = computePulse(metrics, asked)[metrics.indexOf(metric)] as Schema<"PulseMetric">;
    if (!moments || alpha === undefined) return without(reason ?? NOTHING_LOADED);
    const { latest } = moments;
    const compared = experimentUnitSource(experiment);
    const { parts, refused } = divided([query.metricID], definitions, compared);
    const plan = parts[0]?.[0]?.plan;
    if (!plan || latest.groups === undefined) return without(refused[0]?.reason ?? NOT_DIVIDED);
    const { groups } = latest;
    const bases = basesIn(groups);
    const based = { ...plan, ...(bases && { bases }) };
    const { startTime, endTime } = moments;
    const analysis = createAnalysis(compared, {
      ...{ projectID: context.projectID, environments: await readProductionTiers(stores), startTime, endTime, timeZone },
      ...{ plans: [plan], isWithoutDays: asked.day === undefined && !hasEnded },
    });
    const own = definitions.get(query.metricID);
    const computed = { ...metric, moments: { ...moments, latest, loadedTime: context.now, version: own?.version ?? null } };
    const { counts: count, engineFor } = openDivisions(experiment, own ? [own] : [], env);
    const found = await readingWarehouse(async () => {
      const dimensionResults: Schema<"PulseDimensionResult">[] = [];
      let matchesLoad = true;
      for (const one of (await count(analysis, query.dimension)).slice(0, MAX_DIMENSIONS)) {
        const dimension = { of: "values" as const, field: one.field, values: one.values.map(({ value }) => value) };
        const engine = await engineFor([plan], { ...analysis, dimension });
        const rows = await engine.ask<MomentsRow>(momentsQuery([based], engine.analysis, engine.dialect));
        dimensionResults.push(...resultsByPart(computed, one, rows, alpha, asked));
        matchesLoad &&= addUpTo(groups, rows);
      }
      return { dimensionResults, matchesLoad };
    });
    if ("failure" in found) return without(explainFailure(found.failure));
    if (found.value.dimensionResults.length === 0) return without("No field of users divides the units.");
    return { status: 200, body: { message, data: { ds, timeZone, ...found.value } } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

const readProductionTiers = async ({ environments }: Stores) => productionTiers(await environments.get());

import { AppError, invalid } from "../../common/errors.ts";
import { divided, type Planned } from "../../results/plans/load-parts.ts";
import { type UnitLevelRow, unitCells, unitLevelColumns, type ValuesEnd } from "../../results/reports/unit-level.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { createAnalysis, experimentUnitSource } from "../../results/sql/unit-source.ts";
import {
  isBounded,
  type UnitBoundsRow,
  type UnitRow,
  type UnitValuesRow,
  unitBoundsQuery,
  unitPageQuery,
  unitValuesQuery,
} from "../../results/sql/unit-values-query.ts";
import { createResultEngines, type ResultEngine } from "../../warehouse/result-engines.ts";
import { explainFailure, NotComputable } from "../../warehouse/source-tables.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import { productionTiers } from "../environments/environment-set.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Metric } from "../metrics/metric.ts";
import { lastLoaded, zoneLoaded } from "../results/loaded-days.ts";
import { metricsOfExperiment } from "../results/metrics-of-experiment-handlers.ts";
import { readSources } from "../results/sources-read.ts";
import type { AnalysisEnv, Read } from "../stores.ts";
import type { ReportDay } from "./report.ts";

export type ReportEnv = { read: Read; projectID: string } & Pick<AnalysisEnv, "analyse" | "limited">;

/** The units whose values one statement answers: it holds their amounts by up to five metrics. */
const PAGE_SIZE = 20_000;

type Part = { planned: Planned[]; engine: ResultEngine; bounds: UnitBoundsRow };

/**
 * The units of an experiment with the values of its metrics at the end of a day, at most at that of the last results update, whose units and
 * bounds count. A statement reads the values of each page of units and each part of the metrics.
 * @throws AppError invalid_request, or unavailable if the warehouse does not answer
 */
export async function openUnitLevel(experiment: Experiment, day: ReportDay, env: ReportEnv) {
  const found = await readSnapshot(experiment, day, env);
  if (!found) return { columns: unitLevelColumns([]), rows: emptyReport() };
  const { analyse, limited, read } = env;
  const engines = createResultEngines({
    ...found.sources,
    events: { dialect: found.dialect, ask: analyse },
    openWarehouse: () => read(({ warehouse }) => warehouse.open()),
    limited,
  });
  const opened = await readingWarehouse(async () => {
    const units = await engines.engineFor([], found.analysisFor([]));
    const parts: Part[] = [];
    for (const planned of found.parts) {
      const plans = planned.map(({ plan }) => plan);
      const engine = await engines.engineFor(plans, found.analysisFor(planned)).catch(orUndefined);
      if (!engine) continue;
      const { analysis, dialect } = engine;
      const [bounds = {}] = plans.some(isBounded) ? await engine.ask<UnitBoundsRow>(unitBoundsQuery(plans, analysis, dialect)) : [];
      parts.push({ planned, engine, bounds });
    }
    return { units, parts };
  });
  if ("failure" in opened) throw toError(opened.failure);
  const { units, parts } = opened.value;
  const metrics = parts.flatMap(({ planned }) => planned.map(({ metric, plan }) => ({ metricID: metric.id, plan })));
  return { columns: unitLevelColumns(metrics), rows: unitRows(experiment, units, parts, found.valuesEnd) };
}

/** A metric whose source cannot be read is left out, as in results. */
function orUndefined(error: unknown): undefined {
  if (!(error instanceof NotComputable)) throw error;
}

function toError(failure: Parameters<typeof explainFailure>[0]): AppError {
  const message = explainFailure(failure);
  if (failure instanceof NotComputable) return invalid([{ property: "experimentID", errorMessage: `has no units to report: ${message}` }]);
  return new AppError("unavailable", message, undefined, { cause: failure, retryAfterS: 30 });
}

async function* emptyReport(): AsyncGenerator<UnitLevelRow[], void, undefined> {}

/** Everything that the database knows, in one read; undefined if no results are loaded for the day. */
function readSnapshot(experiment: Experiment, day: ReportDay, { read, projectID }: ReportEnv) {
  return read(async (stores) => {
    const metrics = await metricsOfExperiment(experiment, stores, { withDays: false });
    const [last, timeZone, { startTime }] = [lastLoaded(metrics), zoneLoaded(metrics), experiment];
    if (last === undefined || timeZone === undefined || startTime === null || day.start > last || day.end <= startTime) return undefined;
    const endTime = last + 1;
    const known = await stores.metrics.findAll(metrics.map(({ metricID }) => metricID));
    const components = await stores.metrics.findAll(known.flatMap(({ lineage }) => lineage.metrics));
    const definitions = new Map([...components, ...known].map((metric) => [metric.id, metric]));
    const compared = experimentUnitSource(experiment);
    const environments = productionTiers(await stores.environments.get());
    const scope = { projectID, environments, startTime, endTime, timeZone, isWithoutDays: true };
    return {
      dialect: stores.events.dialect,
      sources: await readSources(stores, known, experiment),
      parts: toParts(
        metrics.map(({ metricID }) => metricID),
        definitions,
        compared,
      ),
      analysisFor: (planned: readonly Planned[]): Analysis =>
        createAnalysis(compared, { ...scope, plans: planned.map(({ plan }) => plan) }),
      valuesEnd: { end: Math.min(day.end, endTime), isLast: day.end >= endTime },
    };
  });
}

/** The metrics that each statement computes. Metrics of a warehouse are alone, so that a source that cannot be read affects only one. */
function toParts(ids: readonly string[], definitions: ReadonlyMap<string, Metric>, compared: Parameters<typeof divided>[2]): Planned[][] {
  const { parts } = divided(ids, definitions, compared);
  return parts.flatMap((part) => (part.some(({ plan }) => plan.from !== undefined) ? part.map((one) => [one]) : [part]));
}

async function* unitRows(
  experiment: Experiment,
  units: ResultEngine,
  parts: readonly Part[],
  valuesEnd: ValuesEnd,
): AsyncGenerator<UnitLevelRow[], void, undefined> {
  const names = new Map(experiment.groups.map(({ id, name }) => [id, name]));
  for await (const page of unitPages(units, valuesEnd.end)) {
    const listed = JSON.stringify(page.map(({ id, grp, since, delay }) => [id, grp, Number(since), null, Number(delay)]));
    const cells = new Map(page.map(({ id }) => [id, new Map<string, number>()]));
    const sinces = new Map(page.map(({ id, since }) => [id, Number(since)]));
    for (const { planned, engine, bounds } of parts) {
      const analysis = { ...engine.analysis, units: listed, end: valuesEnd.end };
      const rows = await engine.ask<UnitValuesRow>(
        unitValuesQuery(
          planned.map(({ plan }) => plan),
          analysis,
          engine.dialect,
        ),
      );
      for (const row of rows)
        for (const [index, { metric, plan }] of planned.entries())
          for (const [name, value] of unitCells({ metricID: metric.id, plan, index }, row, sinces.get(row.id) ?? 0, bounds, valuesEnd))
            cells.get(row.id)?.set(name, value);
    }
    yield page.map(({ id, grp, since }) => {
      return { unitID: id, groupID: grp, groupName: names.get(grp), firstTime: Number(since), cells: cells.get(id) ?? new Map() };
    });
  }
}

/** The units whose first exposure was before a time, in the order of their ids. */
async function* unitPages({ analysis, dialect, ask }: ResultEngine, before: number): AsyncGenerator<UnitRow[], void, undefined> {
  if (typeof analysis.units === "string") {
    const all = toRows(analysis.units).filter(({ since }) => Number(since) < before);
    for (let at = 0; at < all.length; at += PAGE_SIZE) yield all.slice(at, at + PAGE_SIZE);
    return;
  }
  for (let after = ""; ; ) {
    const page = await ask<UnitRow>(unitPageQuery(analysis, { after, before, most: PAGE_SIZE }, dialect));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

/** The units of a list, as the warehouse or the database answered it. */
function toRows(listed: string): UnitRow[] {
  const units = JSON.parse(listed) as [string, string, number, string | null, number][];
  const rows = units.map(([id, grp, since, , delay]) => ({ id, grp, since, delay }));
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

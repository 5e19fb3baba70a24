import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { toDate } from "../../common/local-day.ts";
import { once } from "../../common/once.ts";
import { addUpTo } from "../../results/pulse/dimension-results.ts";
import { computePulse } from "../../results/pulse/pulse.ts";
import { askedBySubgroup, computeSubgroups, type DividedRow } from "../../results/pulse/subgroups.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { type MomentsRow, momentsQuery } from "../../results/sql/moments-query.ts";
import { createAnalysis, experimentUnitSource } from "../../results/sql/unit-source.ts";
import { explainFailure } from "../../warehouse/source-tables.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import { productionTiers } from "../environments/environment-set.ts";
import type { AnalysisEnv } from "../stores.ts";
import { dimensionsNamedBy, findsFields } from "./dimensions-of-experiment.ts";
import { openDivisions } from "./divisions-handlers.ts";
import { resolveQuery } from "./experiment-pulse.ts";
import { lastLoaded, zoneLoaded } from "./loaded-days.ts";
import { metricsWithDefinitions } from "./metrics-of-experiment-handlers.ts";
import { plannedEnd } from "./results-end.ts";
import { type SubgroupPart, subgroupParts } from "./subgroup-parts.ts";

const MAX_DIMENSIONS = 5;

const NO_UNITS = "No unit has a value of it.";

type Divisions = ReturnType<typeof openDivisions>;
type Divided = DividedRow & { matchesLoad: boolean };

export const subgroupHandlers = {
  async getExperimentSubgroups({ path, query, ...env }) {
    const { context, stores } = env;
    const experiment = await stores.experiments.get(path.id);
    const zone = await stores.settings.timeZone();
    const { sequentialTesting = false } = experiment;
    const hasEnded = (plannedEnd(experiment, zone) ?? Number.POSITIVE_INFINITY) <= context.now;
    // After the planned end, verdicts are those of that day.
    const withDays = sequentialTesting && hasEnded;
    const { metrics, definitions } = await metricsWithDefinitions(experiment, stores, { withDays });
    const last = lastLoaded(metrics);
    const timeZone = zoneLoaded(metrics) ?? zone;
    const asked = askedBySubgroup(resolveQuery(experiment, query, last, timeZone));
    const unplanned = metrics.map((metric) => ({ ...metric, plan: undefined }));
    const { parts, left } = subgroupParts(experiment, unplanned, computePulse(unplanned, asked), definitions);
    const divisions = openDivisions(experiment, [...definitions.values()], env);
    const environments = productionTiers(await stores.environments.get());
    const toAnalysis = ({ metric: { moments }, plans }: SubgroupPart): Analysis => {
      const { startTime, endTime, timeZone: loadedZone } = moments;
      const scope = { projectID: context.projectID, environments, startTime, endTime, timeZone: loadedZone };
      return createAnalysis(experimentUnitSource(experiment), { ...scope, plans, isWithoutDays: !withDays });
    };
    const divided: Divided[] = [];
    const fields = query.dimensions ?? dimensionsNamedBy(experiment);
    if (!query.dimensions && findsFields(experiment) && parts[0]) {
      const found = await divisions.counts(toAnalysis(parts[0]), undefined);
      fields.push(...found.map(({ field }) => field).filter((field) => !fields.includes(field)));
    }
    for (const field of parts.length > 0 ? fields.slice(0, MAX_DIMENSIONS) : []) {
      const found = await readingWarehouse(() => divideBy(field, parts, divisions, toAnalysis));
      const reason = "failure" in found ? explainFailure(found.failure) : found.value.length === 0 ? NO_UNITS : undefined;
      if (reason !== undefined) left.push({ dimension: field, reason });
      else if ("value" in found) divided.push(...found.value);
    }
    const { correction = "holm" } = query;
    const data: Schema<"ExperimentSubgroups"> = {
      ds: toDate(last ?? context.now, timeZone),
      timeZone,
      ...{ correction, left },
      ...computeSubgroups(divided, asked, { correction, isBeforeEnd: sequentialTesting && !hasEnded }),
      ...(divided.length > 0 && { matchesLoad: divided.every(({ matchesLoad }) => matchesLoad) }),
    };
    return { status: 200, body: { message: "Successfully loaded Subgroups", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

/** The metrics by a field or property. Empty if no unit has a value. @throws NotComputable, WarehouseFailure */
async function divideBy(
  field: string,
  parts: readonly SubgroupPart[],
  { counts, engineFor }: Divisions,
  toAnalysis: (part: SubgroupPart) => Analysis,
): Promise<Divided[]> {
  const found: Divided[] = [];
  // Metrics whose loads cover the same time have the same units.
  const countsUntil = new Map<number, () => Promise<Awaited<ReturnType<typeof counts>>[number] | undefined>>();
  for (const part of parts) {
    const analysis = toAnalysis(part);
    const count = countsUntil.get(analysis.end) ?? once(async () => (await counts(analysis, field))[0]);
    countsUntil.set(analysis.end, count);
    const units = await count();
    if (!units || units.values.length === 0) continue;
    const dimension = { of: "values" as const, field, values: units.values.map(({ value }) => value) };
    const engine = await engineFor(part.plans, { ...analysis, dimension });
    const moments = await engine.ask<MomentsRow>(momentsQuery(part.plans, engine.analysis, engine.dialect));
    for (const [index, { metric, total }] of part.all.entries()) {
      const rows = moments.filter((row) => Number(row.metric) === index);
      found.push({ ...{ metric, total, rows, counts: units }, matchesLoad: addUpTo(metric.moments.latest.groups, rows) });
    }
  }
  return found;
}

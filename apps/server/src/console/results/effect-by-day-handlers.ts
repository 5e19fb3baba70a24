import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { daysFrom, startOfDayAfter, toDate } from "../../common/local-day.ts";
import { divided, NO_METRIC } from "../../results/plans/load-parts.ts";
import { plansFor } from "../../results/plans/metric-plan.ts";
import type { Plan } from "../../results/plans/plan.ts";
import { planOfUnitDay } from "../../results/plans/unit-day-plan.ts";
import {
  askByDay,
  compareTrends,
  countUnits,
  type DayQuestion,
  effectOfDay,
  MOST_DAYS,
  trendDays,
  withoutTrend,
} from "../../results/pulse/effect-by-day.ts";
import { NOTHING_LOADED } from "../../results/pulse/reasons.ts";
import type { StoredMoments } from "../../results/pulse/stored-moments.ts";
import {
  type Bounds,
  type CountedDays,
  type DayOfUnitsRow,
  type EnteredRow,
  effectByDayQuery,
  enteredQuery,
  trendQuery,
} from "../../results/sql/effect-by-day.ts";
import { createAnalysis, experimentUnitSource } from "../../results/sql/unit-source.ts";
import type { ResultEngine } from "../../warehouse/result-engines.ts";
import { explainFailure } from "../../warehouse/source-tables.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import { productionTiers } from "../environments/environment-set.ts";
import { UNDECIDED } from "../events/analyses.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { AnalysisEnv } from "../stores.ts";
import { openDivisions } from "./divisions-handlers.ts";
import { resolveQuery } from "./experiment-pulse.ts";
import { metricAmongOthers } from "./metrics-of-experiment-handlers.ts";
import { plannedEnd } from "./results-end.ts";

type EffectByDay = Schema<"ExperimentEffectByDay">;

const DROPPED = "Some events from the experiment’s days have been deleted, so the effect by day can’t be computed.";

export const effectByDayHandlers = {
  async getExperimentEffectByDay({ path, query, ...env }) {
    const { context, stores } = env;
    const { metricID } = query;
    const experiment = await stores.experiments.get(path.id);
    const zone = await stores.settings.timeZone();
    const { metric, definitions } = await metricAmongOthers(experiment, metricID, stores, { withDays: false });
    const { moments } = metric;
    const timeZone = moments?.timeZone ?? zone;
    const { controlID, testID, alpha } = resolveQuery(experiment, query, moments && moments.endTime - 1, timeZone);
    const known = {
      ...{ ds: toDate(moments ? moments.endTime - 1 : context.now, timeZone), timeZone, metricID, alpha },
      ...{ calendarDays: [], exposureDays: [] },
    };
    const answer = (data: EffectByDay) => ({ status: 200 as const, body: { message: "Successfully loaded Effect by Day", data } });
    const own = definitions.get(metricID);
    if (!own) return answer({ ...known, reason: NO_METRIC });
    if (!moments) return answer({ ...known, reason: NOTHING_LOADED });
    const plan = planFor(experiment, metricID, definitions);
    if ("reason" in plan) return answer({ ...known, reason: plan.reason });
    const { startTime, endTime } = moments;
    const keepsEvents = UNDECIDED.includes(experiment.status) || plan.from !== undefined;
    if (!keepsEvents && (await stores.events.haveBeenDropped(startTime))) return answer({ ...known, reason: DROPPED });
    const analysis = createAnalysis(experimentUnitSource(experiment), {
      ...{ projectID: context.projectID, environments: productionTiers(await stores.environments.get()), startTime, endTime, timeZone },
      ...{ plans: [plan], isWithoutDays: true },
    });
    const { engineFor } = openDivisions(experiment, [own], env);
    const isBeforeEnd = Boolean(experiment.sequentialTesting) && (plannedEnd(experiment, zone) ?? Number.POSITIVE_INFINITY) > context.now;
    const question = { controlID, testID, alpha, isRatio: plan.denominator !== undefined };
    const found = await readingWarehouse(async () =>
      computeByDay(await engineFor([plan], { ...analysis, days: [startTime] }), plan, moments, question, isBeforeEnd),
    );
    return answer("failure" in found ? { ...known, reason: explainFailure(found.failure) } : { ...known, ...found.value });
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

type Definitions = Parameters<typeof divided>[1];

/** The plan of a unit's day, if the metric is computed for the experiment's units. */
function planFor(experiment: Experiment, metricID: string, definitions: Definitions): Plan | { reason: string } {
  const compared = experimentUnitSource(experiment);
  const [refused] = divided([metricID], definitions, compared).refused;
  const metric = definitions.get(metricID);
  if (refused || !metric) return { reason: refused?.reason ?? NO_METRIC };
  return planOfUnitDay(metric, definitions, plansFor(compared));
}

async function computeByDay(
  { analysis, dialect, ask }: ResultEngine,
  plan: Plan,
  moments: StoredMoments,
  question: DayQuestion,
  isBeforeEnd: boolean,
): Promise<Pick<EffectByDay, "calendarDays" | "exposureDays" | "trend">> {
  const bounds = daysThatAreOver(moments);
  const entered = await ask<EnteredRow>(enteredQuery(analysis, bounds, MOST_DAYS, dialect));
  const sumsOf = (counted: CountedDays) =>
    askByDay((asked) => ask<DayOfUnitsRow>(effectByDayQuery([asked], analysis, counted, dialect)), plan);
  const byDate = bounds.days.length > 0 ? await sumsOf({ of: "calendar", bounds }) : new Map();
  const calendarDays = bounds.days.map((day, index) => {
    const units = countUnits(entered, (row) => row.entered <= index + 1);
    return { date: toDate(day, moments.timeZone), ...effectOfDay(byDate.get(index + 1), units, question) };
  });
  const unitsByDay = Array.from({ length: MOST_DAYS }, (_, day) => countUnits(entered, (row) => row.observed > day));
  const observed = unitsByDay.filter((units) => [question.controlID, question.testID].every((id) => (units[id] ?? 0) > 0));
  const byExposure = observed.length > 0 ? await sumsOf({ of: "exposure", count: observed.length }) : new Map();
  const exposureDays = observed.map((units, day) => ({ day, ...effectOfDay(byExposure.get(day + 1), units, question) }));
  const days = trendDays(entered, question);
  if (question.isRatio || days === undefined) return { calendarDays, exposureDays, trend: withoutTrend(question.isRatio) };
  const trends = await askByDay((asked) => ask<DayOfUnitsRow>(trendQuery([asked], analysis, days, dialect)), plan);
  const units = countUnits(entered, (row) => row.observed >= days);
  const trend = compareTrends(trends.get(1) ?? {}, units, { days, isBeforeEnd }, question);
  return { calendarDays, exposureDays, trend };
}

/** The last days that were over when a load ended. */
function daysThatAreOver({ startTime, endTime, timeZone }: StoredMoments): Bounds {
  const starts = daysFrom(startTime, endTime, timeZone);
  const ends = starts.map((start, index) => starts[index + 1] ?? startOfDayAfter(start, 1, timeZone));
  const over = ends.filter((end) => end <= endTime).length;
  return { days: starts.slice(Math.max(0, over - MOST_DAYS), over), end: ends[over - 1] ?? startTime };
}

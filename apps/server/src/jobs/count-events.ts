import { daysFrom, startOfDay } from "../common/local-day.ts";
import { systemContext } from "../common/system-context.ts";
import { UTC } from "../common/time-zone.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import { readable } from "../console/metrics/day-values.ts";
import { type Checked, saveEventCounts } from "../console/results/health-store.ts";
import type { Stores } from "../console/stores.ts";
import { planMetric } from "../results/plans/metric-plan.ts";
import { distinctTerms, type EventSource, isActivity } from "../results/plans/plan.ts";
import { type EventCountsRow, eventCounts, toEventCounts } from "../results/sql/event-counts.ts";
import { eventNames } from "../results/sql/logged.ts";
import { eventDialect } from "../store/database/ask.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import type { JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** The most time for the statement, without which health does. */
const MAX_TIMEOUT_MS = 60_000;
/** The days of arrival whose events are read. */
const DAYS_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Counts the events of an experiment's metrics that arrived in its last days. A failure is logged: earlier counts stay.
 * @param timeoutMs the most time for a statement of the load
 */
export async function countEvents(env: JobEnv, checked: Checked, timeoutMs: number): Promise<void> {
  const { database, now, log, stopping = new AbortController().signal } = env;
  const { projectID, experiment } = checked;
  const startTime = experiment.startTime ?? now();
  const endTime = Math.min(now() + 1, experiment.endTime ?? Number.POSITIVE_INFINITY);
  // Events are stored by days of UTC.
  const days = daysFrom(Math.max(startTime, startOfDay(endTime - DAYS_MS, UTC)), endTime, UTC);
  try {
    const context = systemContext("countExperimentEvents", now(), projectID);
    const known = await writeAs(database, context, async (stores) => {
      const { names, numbers } = await readEvents(checked, stores);
      const read = readable(days, await stores.events.sumByDay(names, days[0] as number));
      return { names, numbers, since: read[0] as number, environments: productionTiers(await stores.environments.get()) };
    });
    const { text, parameters } = eventCounts(experiment, { projectID, startTime, endTime, ...known }, eventDialect(database.db));
    const values = parameters.map(({ value }) => value);
    const rows = await database.analyse<EventCountsRow>(text, values, { timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS), signal: stopping });
    await repeating(database, (db) => saveEventCounts(db, checked, toEventCounts(rows)));
  } catch (err) {
    log.warn({ err, projectID, experiment: experiment.id }, "The events of an experiment could not be counted.");
  }
}

type ReadEvents = { names: string[]; numbers: EventSource[] };

/** The events that the experiment's metrics read, and those with a number that counts. Metrics that read any event are left out. */
async function readEvents({ experiment }: Checked, { results, metrics }: Stores): Promise<ReadEvents> {
  const named = await metrics.findAll([...(await results.readRoles(experiment)).keys()]);
  const components = await metrics.findAll(named.flatMap(({ lineage }) => lineage.metrics));
  const byID = new Map(components.map((metric) => [metric.id, metric]));
  const plans = named.flatMap((metric) => {
    const plan = planMetric(metric, byID);
    return "reason" in plan ? [] : [plan];
  });
  const terms = distinctTerms(plans).filter(({ sources }) => !sources.some(isActivity));
  const sources = terms.flatMap((term) => term.sources).filter((source): source is EventSource => !("marks" in source));
  const numbers = new Map(sources.filter(({ number }) => number.of !== "one").map((source) => [JSON.stringify(source), source]));
  return { names: eventNames(terms) ?? [], numbers: [...numbers.values()] };
}

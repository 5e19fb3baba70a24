import { systemContext } from "../common/system-context.ts";
import { DAY_MS, utcDay } from "../common/utc-day.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import type { DailyCount } from "../console/events/event-store.ts";
import { type Checked, saveEventCounts } from "../console/results/health-store.ts";
import type { Stores } from "../console/stores.ts";
import { planMetric } from "../results/plans/metric-plan.ts";
import { distinctTerms, type EventSource, isActivity } from "../results/plans/plan.ts";
import { type EventCountsRow, eventCounts, toEventCounts } from "../results/sql/event-counts.ts";
import { eventNames } from "../results/sql/logged.ts";
import type { Statement } from "../results/sql/statement.ts";
import { eventDialect } from "../store/database/ask.ts";
import { repeating } from "../store/database/unit-of-work.ts";
import type { JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** The most time for the statement, without which health does. */
const MAX_TIMEOUT_MS = 60_000;
/** The days of arrival whose events are read at most. */
const MAX_DAYS = 7;
/** The latest days are read until they have this many events of a name. It keeps the costs of a day's load in proportion to its new events. */
const ENOUGH_EVENTS = 5_000;

/**
 * Counts the events of an experiment's metrics that arrived in its last days. A failure is logged: earlier counts stay.
 * @param timeoutMs the most time for a statement of the load
 */
export async function countEvents(env: JobEnv, checked: Checked, timeoutMs: number): Promise<void> {
  const { database, now, log, stopping = new AbortController().signal } = env;
  const { projectID, experiment } = checked;
  const startTime = experiment.startTime ?? now();
  const endTime = Math.min(now() + 1, experiment.endTime ?? Number.POSITIVE_INFINITY);
  const first = utcDay(Math.max(startTime, endTime - MAX_DAYS * DAY_MS));
  try {
    const context = systemContext("countExperimentEvents", now(), projectID);
    const known = await writeAs(database, context, async (stores) => {
      const { names, numbers } = await readEvents(checked, stores);
      const firstDays = latestDays(await stores.events.listDailyCounts(names, first));
      return { firstDays, numbers, environments: productionTiers(await stores.environments.get()) };
    });
    const ask = ({ text, parameters }: Statement) =>
      database.analyse<EventCountsRow>(
        text,
        parameters.map(({ value }) => value),
        { timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS), signal: stopping },
      );
    const statement = () => eventCounts(experiment, { projectID, startTime, endTime, ...known }, eventDialect(database.db));
    const rows = known.firstDays.size > 0 ? await ask(statement()) : [];
    await repeating(database, (db) => saveEventCounts(db, checked, toEventCounts(rows)));
  } catch (err) {
    log.warn({ err, projectID, experiment: experiment.id }, "The events of an experiment could not be counted.");
  }
}

/** The first of the latest days that have enough events of each name together. @param counts the latest day first */
export function latestDays(counts: readonly DailyCount[]): Map<string, number> {
  const firstDays = new Map<string, number>();
  const read = new Map<string, number>();
  for (const { name, day, count } of counts) {
    const events = read.get(name) ?? 0;
    if (events >= ENOUGH_EVENTS) continue;
    firstDays.set(name, day);
    read.set(name, events + count);
  }
  return firstDays;
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

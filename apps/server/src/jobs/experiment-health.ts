import { systemContext } from "../common/system-context.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import { type Checked, claimCheck, findEventCounts, listUnchecked, readArrivals, saveChecks } from "../console/results/health-store.ts";
import { checkExperiment } from "../results/health/health.ts";
import type { CheckedMetric } from "../results/health/metric-health.ts";
import { subjectOfExperiment } from "../results/pulse/subject.ts";
import { type ExposureCountsRow, exposureCounts, toGroupUnits } from "../results/sql/exposure-counts.ts";
import { experimentUnitSource } from "../results/sql/unit-source.ts";
import { eventDialect } from "../store/database/ask.ts";
import { reading, repeating, writing } from "../store/database/unit-of-work.ts";
import type { CountScope } from "../warehouse/result-engines.ts";
import { countEvents } from "./count-events.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** Counts the units that count according to the warehouse, or returns the reason for a failure. */
export type CountUnits = (scope: CountScope) => Promise<ExposureCountsRow[] | { reason: string }>;

const CHECKED_EVERY_MS = 60 * 60 * 1_000;
/** The most time to count the units of one experiment. */
const TIMEOUT_MS = 60_000;

/** Checks the health of running experiments once an hour, each on one replica. */
export const experimentHealth: Job = {
  name: "experimentHealth",
  intervalMs: 60_000,
  async run(env) {
    let after: Checked | undefined;
    do {
      const since = env.now() - CHECKED_EVERY_MS;
      const batch: Checked[] = await reading(env.database, (db) => listUnchecked(db, since, after));
      for (const one of batch) {
        if (env.stopping?.aborted) return;
        // Units that count according to the warehouse are counted with loads, which ask it.
        if (!one.experiment.assignmentSourceName && !one.experiment.qualifyingEventName) await checkHealth(env, one, { since });
      }
      after = batch.at(-1);
    } while (after);
  },
};

/**
 * Checks the health of a started experiment, unless a replica began to since a time. A failure is logged: earlier findings stay, and the
 * check is due again in an hour.
 * @param countUnits how its units are counted if the warehouse decides it
 * @param eventsTimeoutMs the most time to count its metrics' events, with each load; undefined if they are not counted
 */
export async function checkHealth(
  env: JobEnv,
  checked: Checked,
  { since = env.now(), countUnits, eventsTimeoutMs }: { since?: number; countUnits?: CountUnits; eventsTimeoutMs?: number } = {},
): Promise<void> {
  const { database, log } = env;
  try {
    if (!(await repeating(database, (db) => claimCheck(db, checked, env.now(), since)))) return;
    if (eventsTimeoutMs !== undefined && !checked.experiment.assignmentSourceName) await countEvents(env, checked, eventsTimeoutMs);
    const evidence = await gather(env, checked, countUnits);
    const checks = checkExperiment(checked.experiment, evidence);
    await writing(database, (db) => saveChecks(db, checked, checks, systemContext("checkExperimentHealth", env.now(), checked.projectID)));
  } catch (err) {
    const { projectID, experiment } = checked;
    log.warn({ err, projectID, experiment: experiment.id }, "The health of an experiment could not be checked.");
  }
}

async function gather(env: JobEnv, { projectID, experiment }: Checked, countUnits: CountUnits | undefined) {
  const { database, now, stopping = new AbortController().signal } = env;
  const { environments, metrics } = await writeAs(database, systemContext("checkExperimentHealth", now(), projectID), async (stores) => {
    const roles = await stores.results.readRoles(experiment);
    const moments = await stores.results.listMoments(subjectOfExperiment(experiment.id), experiment.startTime ?? now());
    const known = new Set((await stores.metrics.findAll([...roles.keys()])).map(({ id }) => id));
    const found = new Map(moments.map(({ metricID, latest }) => [metricID, latest]));
    return {
      environments: productionTiers(await stores.environments.get()),
      metrics: [...roles.keys()].map((metricID): CheckedMetric => ({ metricID, exists: known.has(metricID), found: found.get(metricID) })),
    };
  });
  const startTime = experiment.startTime ?? now();
  const endTime = Math.min(now() + 1, experiment.endTime ?? Number.POSITIVE_INFINITY);
  const { exposureSource, idType } = experimentUnitSource(experiment);
  const exposed = { projectID, exposureSource: exposureSource, environments, startTime, endTime };
  const countLogged = () => {
    const { text, parameters } = exposureCounts(exposed, eventDialect(database.db));
    const values = parameters.map(({ value }) => value);
    return database.analyse<ExposureCountsRow>(text, values, { timeoutMs: TIMEOUT_MS, signal: stopping });
  };
  const rows = await (countUnits ? countUnits({ ...exposed, idType }) : countLogged());
  const events = await reading(database, (db) => findEventCounts(db, { projectID, experiment }));
  const arrivals = experiment.assignmentSourceName
    ? undefined
    : await reading(database, (db) => readArrivals(db, { projectID, experiment }, environments));
  return { units: "reason" in rows ? rows : toGroupUnits(experiment, rows), arrivals, metrics, events, ageMs: endTime - startTime };
}

import { systemContext } from "../bootstrap.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import { type Checked, claimCheck, findEventCounts, listUnchecked, saveChecks } from "../console/results/health-store.ts";
import { type ExposureCountsRow, exposureCounts, groupUnitsOf } from "../results/exposure-counts.ts";
import { healthOf } from "../results/health.ts";
import type { CheckedMetric } from "../results/metric-health.ts";
import { subjectOfExperiment } from "../results/subject.ts";
import { dialectOf } from "../store/ask.ts";
import { reading, repeating } from "../store/unit-of-work.ts";
import { countEvents } from "./event-counts.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** Counts units that come from an assignment source, or says why it could not. */
export type CountUnits = (scope: { startTime: number; endTime: number }) => Promise<ExposureCountsRow[] | { reason: string }>;

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
        // Units of an assignment source are counted with loads, which the warehouse is asked for.
        if (!one.experiment.assignmentSourceName) await checkHealth(env, one, { since });
      }
      after = batch.at(-1);
    } while (after);
  },
};

/**
 * Checks the health of an experiment that has started, unless a replica began to since a time. A failure is logged: what was found out before
 * stays, and the check is due again in an hour.
 * @param countUnits how its units are counted if they come from an assignment source
 * @param eventsTimeoutMs the most time to count the events of its metrics, which is done with each load; undefined if they are not counted
 */
export async function checkHealth(
  env: JobEnv,
  checked: Checked,
  { since = env.now(), countUnits, eventsTimeoutMs }: { since?: number; countUnits?: CountUnits; eventsTimeoutMs?: number } = {},
): Promise<void> {
  const { database, log } = env;
  try {
    if (!(await repeating(database, (db) => claimCheck(db, checked, env.now(), since)))) return;
    if (eventsTimeoutMs !== undefined && !countUnits) await countEvents(env, checked, eventsTimeoutMs);
    const evidence = await gather(env, checked, countUnits);
    const checks = healthOf(checked.experiment, evidence);
    await repeating(database, (db) => saveChecks(db, checked, checks));
  } catch (err) {
    const { projectID, experiment } = checked;
    log.warn({ err, projectID, experiment: experiment.id }, "The health of an experiment could not be checked.");
  }
}

async function gather(env: JobEnv, { projectID, experiment }: Checked, countUnits: CountUnits | undefined) {
  const { database, now, stopping = new AbortController().signal } = env;
  const { environments, metrics } = await writeAs(database, systemContext("checkExperimentHealth", now(), projectID), async (stores) => {
    const roles = await stores.results.rolesOf(experiment);
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
  const countLogged = () => {
    const { text, parameters } = exposureCounts(experiment, { projectID, environments, startTime, endTime }, dialectOf(database.db));
    const values = parameters.map(({ value }) => value);
    return database.analyse<ExposureCountsRow>(text, values, { timeoutMs: TIMEOUT_MS, signal: stopping });
  };
  const rows = await (countUnits ? countUnits({ startTime, endTime }) : countLogged());
  const events = await reading(database, (db) => findEventCounts(db, { projectID, experiment }));
  return { units: "reason" in rows ? rows : groupUnitsOf(experiment, rows), metrics, events, ageMs: endTime - startTime };
}

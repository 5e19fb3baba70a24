import { systemContext } from "../common/system-context.ts";
import { DAY_MS, HOUR_MS, utcDay } from "../common/utc-day.ts";
import { metricID } from "../console/common/named.ts";
import { areDelivered } from "../console/events/outbox-store.ts";
import { SAMPLE_DAYS, SAMPLE_STEPS, type SampleProgress, toSampleStep } from "../console/projects/sample-project.ts";
import { findSample, finishSample, finishSampleStep, lockSampleStep } from "../console/projects/sample-project-store.ts";
import { subjectsOfGate } from "../console/results/compared-subjects.ts";
import { repeatGuardrailChecks } from "../console/results/guardrail-store.ts";
import { hasUnfinishedLoads } from "../console/results/load-queue-store.ts";
import { newLoad, type Run, runOfExperiment, runOfPhase } from "../console/results/pulse-load.ts";
import { createStores, type Stores } from "../console/stores.ts";
import { storeBatches } from "../evaluation/events/event-intake-store.ts";
import { lastDroppedDay, makePartitions } from "../evaluation/events/event-partition-store.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { checkGuardrailsOf } from "./guardrail-checks.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { readShopDay } from "./sample/read-shop.ts";
import { changesOn } from "./sample/shop-history.ts";
import { CHANGE_HOUR, EXPRESS_DELIVERY, FREE_SHIPPING, LARGER_PHOTOS, ONE_PAGE_CHECKOUT } from "./sample/shop-plan.ts";
import { findStaleGates } from "./stale-gates.ts";
import { checkAlerts } from "./topline-alert-checks.ts";

const OPERATION = "loadSampleProject";
const EXPERIMENTS = [FREE_SHIPPING.id, ONE_PAGE_CHECKOUT.id, LARGER_PHOTOS.id];

/**
 * Loads the sample project day by day: the day's changes of entities, then its events, each in one transaction that also notes the step. So
 * every step happens once, on whatever replica, and loading continues after an interruption. Then the results are loaded as always, which this
 * job awaits.
 */
export const sampleProject: Job = {
  name: "sampleProject",
  intervalMs: 1_000,
  async run(env) {
    while (!env.stopping?.aborted) {
      const progress = await reading(env.database, findSample);
      if (!progress || progress.readyTime !== null || !(await takeStep(env, progress))) return;
    }
  },
};

/** @returns whether the next step may follow at once */
async function takeStep(env: JobEnv, progress: SampleProgress): Promise<boolean> {
  if (progress.step > SAMPLE_STEPS) return finish(env, progress);
  if (progress.step === SAMPLE_STEPS) return startLoads(env, progress);
  const { action, day } = toSampleStep(progress.step);
  return action === "changes" ? changeEntities(env, progress, day) : storeDay(env, progress, day);
}

/**
 * Does a step in one transaction, unless it is done or the project was deleted.
 * @param act returns false if the step has to wait
 * @returns whether the next step may follow at once
 */
function once({ database }: JobEnv, progress: SampleProgress, act: (db: Db) => Promise<boolean>): Promise<boolean> {
  return writing(database, async (db) => {
    if (!(await lockSampleStep(db, progress))) return true;
    const isDone = await act(db);
    if (isDone) await finishSampleStep(db, progress);
    return isDone;
  });
}

const firstDay = ({ endTime }: SampleProgress) => utcDay(endTime) - SAMPLE_DAYS + 1;

function changeEntities(env: JobEnv, progress: SampleProgress, day: number): Promise<boolean> {
  const { endTime } = progress;
  const time = Math.min(endTime, (firstDay(progress) + day) * DAY_MS + CHANGE_HOUR * HOUR_MS);
  return once(env, progress, (db) => applyChanges(db, progress, day, time));
}

async function applyChanges(db: Db, { projectID, endTime }: SampleProgress, day: number, time: number): Promise<true> {
  const context = systemContext(OPERATION, time, projectID);
  const stores = createStores({ db, context, log: createChangeLog(db, context) });
  for (const change of changesOn(day)) await change(stores, context, endTime);
  return true;
}

/** Events arrive on the day on which they happen, or on the first day that the retention of events has not dropped. */
async function storeDay(env: JobEnv, progress: SampleProgress, number: number): Promise<boolean> {
  const { database } = env;
  const { projectID, endTime } = progress;
  const day = firstDay(progress) + number;
  const batch = await readShopDay(database, projectID, { number, utcDay: day, endTime });
  if (!batch) return true;
  const arrivalDay = database.db.clickhouse ? day : Math.max(day, (await reading(database, lastDroppedDay)) + 1);
  if (!database.db.clickhouse) await writing(database, (db) => makePartitions(db, [arrivalDay]));
  const arrival = Math.min((arrivalDay + 1) * DAY_MS - 1, Math.max(endTime, env.now()));
  return once(env, progress, async (db) => {
    await storeBatches(db, [batch], arrival);
    return true;
  });
}

/** Waits until ClickHouse has the events, and for loads that began with fewer of them. */
function startLoads(env: JobEnv, progress: SampleProgress): Promise<boolean> {
  const { projectID, endTime } = progress;
  return once(env, progress, async (db) => {
    if (!(await areDelivered(db, projectID)) || (await hasUnfinishedLoads(db, projectID))) return false;
    await applyChanges(db, progress, SAMPLE_DAYS, endTime);
    await repeatGuardrailChecks(db, projectID);
    const context = systemContext(OPERATION, env.now(), projectID);
    const stores = createStores({ db, context, log: createChangeLog(db, context) });
    const timeZone = await stores.settings.timeZone();
    for (const id of EXPERIMENTS) {
      const experiment = await stores.experiments.get(id);
      await addLoad(
        runOfExperiment(experiment, context.now, timeZone),
        [...(await stores.results.readRoles(experiment)).keys()],
        stores,
        context,
      );
    }
    const gate = await stores.gates.get(EXPRESS_DELIVERY.id);
    for (const subject of subjectsOfGate(projectID, gate)) {
      const run = runOfPhase(subject, await stores.results.startOfPhase(subject), context.now, timeZone);
      await addLoad(run, gate.monitoringMetrics.map(metricID), stores, context);
    }
    return true;
  });
}

async function addLoad(run: Run, named: string[], { results }: Stores, context: ReturnType<typeof systemContext>): Promise<void> {
  await results.addLoad(newLoad(run, { refresh: "full" }, await results.loadable(run, named, context.now), context));
}

/** Does what other jobs would do at their next turn, once the results are loaded. */
async function finish(env: JobEnv, progress: SampleProgress): Promise<boolean> {
  const { database } = env;
  const { projectID } = progress;
  if (await reading(database, (db) => hasUnfinishedLoads(db, projectID))) return false;
  for (const act of [checkGuardrailsOf, checkAlerts, findStaleGates]) await act(env, projectID);
  await writing(database, (db) => finishSample(db, progress, env.now()));
  return false;
}

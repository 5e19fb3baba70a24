import type { PermittedContext } from "../common/context.ts";
import { startOfDay } from "../common/local-day.ts";
import { systemContext } from "../common/system-context.ts";
import { type TimeZone, UTC } from "../common/time-zone.ts";
import { metricID } from "../console/common/named.ts";
import type { Experiment } from "../console/experiments/experiment.ts";
import { isRunning } from "../console/experiments/experiment-lifecycle.ts";
import { subjectsOfGate, subjectsOfHoldout } from "../console/results/compared-subjects.ts";
import { listMonitored, listUnloaded, type Monitored } from "../console/results/load-queue-store.ts";
import { dueOn, type LoadRequest, newLoad, type Run, runOfExperiment, runOfPhase } from "../console/results/pulse-load.ts";
import { listTimeZones } from "../console/settings/settings-store.ts";
import type { Stores } from "../console/stores.ts";
import type { Subject } from "../results/pulse/subject.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** Experiments that ended longer ago are not loaded. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Loads results once a day of the project's time zone, unless someone has loaded them since. It includes running experiments at their
 * chosen hour, ended experiments once more, and gates' rules and holdouts that metrics monitor.
 */
export const dailyLoads: Job = {
  name: "dailyLoads",
  intervalMs: 60_000,
  async run(env) {
    const zones = new Map((await listTimeZones(env.database.db)).map(({ projectID, timeZone }) => [projectID, timeZone]));
    const elsewhere = [...zones].map(([projectID, timeZone]) => ({ projectID, today: startOfDay(env.now(), timeZone) }));
    const todays = { inUTC: startOfDay(env.now(), UTC), elsewhere };
    const recent = env.now() - RECENT_MS;
    for await (const { projectID, id, experiment } of eachBatch(env, (db, after: Due | undefined) =>
      listUnloaded(db, { todays, recent }, after),
    ))
      if (isDue(experiment, env.now(), zones.get(projectID) ?? UTC))
        await writeFor(env, projectID, { experiment: id }, (...given) => loadExperiment(id, ...given));
    for await (const monitored of eachBatch(env, (db, after: Monitored | undefined) => listMonitored(db, todays, after)))
      for (const subject of unloadedIn(monitored))
        await writeFor(env, monitored.projectID, { subject }, (...given) => loadPhase(subject, ...given));
  },
};

type Due = Awaited<ReturnType<typeof listUnloaded>>[number];

/** An experiment that ended is due at once. */
function isDue(experiment: Experiment, now: number, timeZone: TimeZone): boolean {
  return !isRunning(experiment.status) || now >= (dueOn(experiment, now, timeZone) ?? Number.POSITIVE_INFINITY);
}

/** The rules of a gate that pass some units and fail others, or a holdout with held-out users, if they are not loaded. */
function unloadedIn({ projectID, type, entity, loaded }: Monitored): Subject[] {
  const subjects = type === "holdout" ? subjectsOfHoldout(projectID, entity) : subjectsOfGate(projectID, entity);
  return subjects.filter(({ ruleID }) => !loaded.includes(ruleID ?? ""));
}

type Act = (stores: Stores, context: PermittedContext) => Promise<void>;

async function writeFor({ database, log, now }: JobEnv, projectID: string, what: object, act: Act): Promise<void> {
  const context = systemContext("loadDueResults", now(), projectID);
  await writeAs(database, context, (stores) => act(stores, context)).catch((err: unknown) =>
    log.warn({ err, projectID, ...what }, "Results that are due could not be loaded. It will be retried."),
  );
}

async function loadExperiment(id: string, stores: Stores, context: PermittedContext): Promise<void> {
  const experiment = await stores.experiments.find(id, { lock: true });
  if (!experiment || experiment.startTime === null) return;
  const isOver = !isRunning(experiment.status);
  // An incremental load would leave out results that were computed on the day of the end.
  const refresh = isOver ? "full" : (experiment.scheduledReloadType ?? "full");
  const timeZone = await stores.settings.timeZone();
  const since = isOver ? (experiment.endTime ?? context.now) : startOfDay(context.now, timeZone);
  const named = [...(await stores.results.readRoles(experiment)).keys()];
  await addUnlessLoaded(runOfExperiment(experiment, context.now, timeZone), { named, request: { refresh }, since }, stores, context);
}

async function loadPhase(subject: Subject, stores: Stores, context: PermittedContext): Promise<void> {
  const holder = await (subject.type === "gate" ? stores.gates : stores.holdouts).find(subject.id, { lock: true });
  if (!holder) return;
  const timeZone = await stores.settings.timeZone();
  const run = runOfPhase(subject, await stores.results.startOfPhase(subject), context.now, timeZone);
  const named = holder.monitoringMetrics.map(metricID);
  await addUnlessLoaded(run, { named, request: { refresh: "full" }, since: startOfDay(context.now, timeZone) }, stores, context);
}

type Load = { named: string[]; request: LoadRequest; since: number };

/** A replica that comes second finds the load of the first. */
async function addUnlessLoaded(run: Run, { named, request, since }: Load, { results }: Stores, context: PermittedContext): Promise<void> {
  const [latest] = (await results.listLoads(run.subject, { skip: 0, take: 1 })).data;
  if (latest && (latest.finishedTime === null || latest.createdTime >= since)) return;
  await results.addLoad(newLoad(run, request, await results.loadable(run, named, context.now), context));
}

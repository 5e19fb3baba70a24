import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { isRunning } from "../experiments/experiment-lifecycle.ts";
import type { Metric } from "../metrics/metric.ts";
import type { Env, Stores } from "../stores.ts";
import { subjectsOfGate, subjectsOfHoldout } from "./compared-subjects.ts";
import { isMeasuredBy, MAX_RELOADS, startedLoad } from "./metric-reload.ts";
import { newLoad, type Run, runOfExperiment, runOfPhase } from "./pulse-load.ts";

type User = { type: "experiment" | "gate" | "holdout"; id: string };

export const reloadHandlers = {
  async reloadMetric({ path, query: { incremental = false }, context, stores }) {
    const metric = await stores.metrics.read(path.id);
    const data: Schema<"MetricReload"> = { loads: [], running: 0, fresh: 0, left: 0 };
    for (const user of await readUsers(metric, stores)) {
      const isComplete = data.loads.length < MAX_RELOADS && (await reload(user, metric, incremental, data, { context, stores }));
      if (!isComplete) data.left += 1;
    }
    return { status: 200, body: { message: "Metric data reloaded successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** The subjects with loads for a metric: experiments first, each type in the order of ids, so that all requests lock in the same order. */
async function readUsers(metric: Metric, { results: { uses } }: Stores): Promise<User[]> {
  const users: User[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const experiments = await uses.listRunning(after);
    for (const one of experiments) if (isMeasuredBy(one, metric)) users.push({ type: "experiment", id: one.id });
    after = experiments.at(-1)?.id;
  }
  const [gates, holdouts] = await Promise.all([uses.listGates(metric.id), uses.listHoldouts(metric.id)]);
  for (const { id } of gates) users.push({ type: "gate", id });
  for (const { id } of holdouts) users.push({ type: "holdout", id });
  return users;
}

type Given = { context: Context; stores: Stores };

/** Starts the loads of a metric's subjects, and counts them. @returns whether it reached all of them */
async function reload(
  user: User,
  metric: Metric,
  incremental: boolean,
  data: Schema<"MetricReload">,
  { context, stores }: Given,
): Promise<boolean> {
  const { results } = stores;
  const request = { refresh: "metric" as const, metricIDs: [metric.id] };
  for (const run of await findRuns(user, { context, stores })) {
    if (data.loads.length === MAX_RELOADS) return false;
    const [latest] = (await results.listLoads(run.subject, { skip: 0, take: 1 })).data;
    const loadable = await results.loadable(run, [metric.id], context.now);
    if (latest && latest.finishedTime === null) data.running += 1;
    else if (incremental && loadable.fresh.has(metric.id)) data.fresh += 1;
    else {
      const load = newLoad(run, request, loadable, context);
      await results.addLoad(load);
      data.loads.push(startedLoad(load));
    }
  }
  return true;
}

/** The runs that may be loaded now. The lock lets one load of it run at a time. */
async function findRuns({ type, id }: User, { context, stores }: Given): Promise<Run[]> {
  const timeZone = await stores.settings.timeZone();
  if (type === "experiment") {
    const experiment = await stores.experiments.find(id, { lock: true });
    return experiment && isRunning(experiment.status) && experiment.startTime !== null
      ? [runOfExperiment(experiment, context.now, timeZone)]
      : [];
  }
  const runs: Run[] = [];
  for (const subject of await findSubjects({ type, id }, { context, stores }))
    runs.push(runOfPhase(subject, await stores.results.startOfPhase(subject), context.now, timeZone));
  return runs;
}

async function findSubjects({ type, id }: User, { context: { projectID }, stores }: Given) {
  if (type === "gate") {
    const gate = await stores.gates.find(id, { lock: true });
    return gate ? subjectsOfGate(projectID, gate) : [];
  }
  const holdout = await stores.holdouts.find(id, { lock: true });
  return holdout ? subjectsOfHoldout(projectID, holdout) : [];
}

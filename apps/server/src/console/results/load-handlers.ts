import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { type Subject, subjectOfExperiment, subjectOfHoldout, subjectOfRule } from "../../results/pulse/subject.ts";
import { metricID } from "../common/named.ts";
import { paginate, toWindow } from "../common/page.ts";
import { getRule } from "../gates/gate.ts";
import type { Env, Stores } from "../stores.ts";
import {
  type LoadRequest,
  newLoad,
  type Run,
  requireMeasured,
  requireNoneRunning,
  requireUnfinished,
  runOfExperiment,
  runOfPhase,
  toAnswer,
} from "./pulse-load.ts";

type Given = { context: Context; stores: Stores };
type Query = NonNullable<operations["listExperimentPulseLoads"]["parameters"]["query"]>;

export const loadHandlers = {
  async startExperimentPulseLoad({ path, query, body, context, stores }) {
    // The lock lets one load run at a time.
    const experiment = await stores.experiments.get(path.id, { lock: true });
    const run = runOfExperiment(experiment, context.now, await stores.settings.timeZone());
    const named = [...(await stores.results.readRoles(experiment)).keys()];
    const data = await start(run, named, { ...requestInQuery(query), ...body }, { context, stores });
    return { status: 200, body: { message: "Experiment is loading.", data } };
  },

  async listExperimentPulseLoads({ path, query, stores }) {
    const { id } = await stores.experiments.get(path.id);
    return list(subjectOfExperiment(id), `experiments/${encodeURIComponent(id)}`, query, stores);
  },

  async getExperimentPulseLoad({ path, stores }) {
    const { id } = await stores.experiments.get(path.id);
    return read(subjectOfExperiment(id), path.dagID, stores);
  },

  async cancelExperimentPulseLoad({ path, context, stores }) {
    const { id } = await stores.experiments.get(path.id);
    return cancel(subjectOfExperiment(id), path.dagID, { context, stores });
  },

  async startGatePulseLoad({ path, body: { ruleId, ...request }, context, stores }) {
    const gate = await stores.gates.get(path.id, { lock: true });
    const subject = subjectOfRule(gate.id, requireMeasured(gate, ruleId).id);
    const run = await findPhase(subject, context, stores);
    const data = await start(run, gate.monitoringMetrics.map(metricID), request, { context, stores });
    return { status: 200, body: { message: "Gate loaded successfully.", data } };
  },

  async listGatePulseLoads({ path, query, stores }) {
    const gate = await stores.gates.get(path.id);
    const { id: ruleID } = getRule(gate, path.ruleID);
    return list(subjectOfRule(gate.id, ruleID), `gates/${encodeURIComponent(gate.id)}/rules/${encodeURIComponent(ruleID)}`, query, stores);
  },

  async getGatePulseLoad({ path, stores }) {
    const gate = await stores.gates.get(path.id);
    return read(subjectOfRule(gate.id, getRule(gate, path.ruleID).id), path.dagID, stores);
  },

  async cancelGatePulseLoad({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    return cancel(subjectOfRule(gate.id, getRule(gate, path.ruleID).id), path.dagID, { context, stores });
  },

  async startHoldoutPulseLoad({ path, body, context, stores }) {
    const holdout = await stores.holdouts.get(path.id, { lock: true });
    const subject = subjectOfHoldout(holdout.id);
    const run = await findPhase(subject, context, stores);
    const data = await start(run, holdout.monitoringMetrics.map(metricID), body, { context, stores });
    return { status: 200, body: { message: "Holdout is loading.", data } };
  },

  async listHoldoutPulseLoads({ path, query, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    return list(subjectOfHoldout(id), `holdouts/${encodeURIComponent(id)}`, query, stores);
  },

  async getHoldoutPulseLoad({ path, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    return read(subjectOfHoldout(id), path.dagID, stores);
  },

  async cancelHoldoutPulseLoad({ path, context, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    return cancel(subjectOfHoldout(id), path.dagID, { context, stores });
  },
} satisfies Partial<Handlers<operations, Env>>;

/** The fields of a load that existing clients send in the query. Other parameters are of every write. */
function requestInQuery({
  refresh,
  metricIDs,
  turboMode,
}: NonNullable<operations["startExperimentPulseLoad"]["parameters"]["query"]>): LoadRequest {
  return { ...(refresh && { refresh }), ...(metricIDs && { metricIDs }), ...(turboMode !== undefined && { turboMode }) };
}

async function findPhase(subject: Subject, { now }: Context, { results, settings }: Stores): Promise<Run> {
  return runOfPhase(subject, await results.startOfPhase(subject), now, await settings.timeZone());
}

/** @param named the metrics that the experiment, gate or holdout names */
async function start(run: Run, named: string[], request: LoadRequest | undefined, { context, stores: { results } }: Given) {
  const [latest] = (await results.listLoads(run.subject, { skip: 0, take: 1 })).data;
  requireNoneRunning(latest);
  const load = newLoad(run, request ?? {}, await results.loadable(run, named, context.now), context);
  await results.addLoad(load);
  return toAnswer(load);
}

/** @param owner the path of the loads' subject */
async function list(subject: Subject, owner: string, query: Query, { results }: Stores) {
  const { data, total } = await results.listLoads(subject, toWindow(query));
  const pagination = paginate(`/console/v1/${owner}/pulse_load_history`, query, total);
  return { status: 200 as const, body: { message: "Pulse loads listed successfully.", data: data.map(toAnswer), pagination } };
}

async function read(subject: Subject, dagID: string, { results }: Stores) {
  const load = await results.getLoad(subject, dagID);
  const data = { ...toAnswer(load), jobs: load.jobs, metrics: load.metrics };
  return { status: 200 as const, body: { message: "Pulse load read successfully.", data } };
}

async function cancel(subject: Subject, dagID: string, { context, stores: { results } }: Given) {
  const load = await results.getLoad(subject, dagID, { lock: true });
  requireUnfinished(load);
  await results.cancelLoad(load, context.now);
  return { status: 200 as const, body: { message: "Pulse load cancelled successfully." } };
}

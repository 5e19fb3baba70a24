import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { toDate } from "../../common/local-day.ts";
import { expectedByChance } from "../../results/pulse/chance.ts";
import { computePulse } from "../../results/pulse/pulse.ts";
import { type Subject, subjectOfExperiment, subjectOfHoldout, subjectOfRule } from "../../results/pulse/subject.ts";
import { metricID } from "../common/named.ts";
import { getRule } from "../gates/gate.ts";
import type { Env, Stores } from "../stores.ts";
import { outlookOf, resolveQuery } from "./experiment-pulse.ts";
import { scorecardOf } from "./experiment-scorecard.ts";
import { lastLoaded, zoneLoaded } from "./loaded-days.ts";
import { loadedMetrics } from "./loaded-metrics.ts";
import { metricsOfExperiment } from "./metrics-of-experiment-handlers.ts";
import { askedOfMonitoring } from "./monitoring-pulse.ts";

type Monitored = { subject: Subject; named: readonly string[] };
type MonitoringQuery = NonNullable<operations["getGatePulseResults"]["parameters"]["query"]>;

export const resultHandlers = {
  async getExperimentPulseResults({ path, query, context, stores }) {
    const experiment = await stores.experiments.withHealth(await stores.experiments.get(path.id));
    const { healthChecks } = experiment;
    const metrics = await metricsOfExperiment(experiment, stores, { withDays: true });
    const last = lastLoaded(metrics);
    const timeZone = zoneLoaded(metrics) ?? (await stores.settings.timeZone());
    const asked = { ...resolveQuery(experiment, query, last, timeZone), outlook: outlookOf(experiment, timeZone) };
    const results = computePulse(metrics, asked);
    const crossoverPercent = healthChecks.find(({ type }) => type === "has_crossover")?.metadata?.crossoverPercent;
    const chance = expectedByChance(
      results.filter((_, index) => metrics[index]?.role === "primary"),
      asked.corrections,
    );
    const { startTime } = experiment;
    const updates = startTime === null ? undefined : await stores.results.countUpdates(subjectOfExperiment(experiment.id), startTime);
    const openAlerts = (await stores.experiments.guardrails.listOpen(experiment.id)).map(({ partID, metricID: id }) => ({
      groupID: partID,
      metricID: id,
    }));
    const scorecard = scorecardOf(experiment, query, { metrics, last, timeZone, openAlerts });
    const inRole = (role: string) => results.filter((_, index) => metrics[index]?.role === role);
    const data = {
      ds: toDate(asked.day ?? last ?? context.now, timeZone),
      timeZone,
      ...(crossoverPercent !== undefined && { crossoverPercent }),
      ...(scorecard && { scorecard }),
      ...(updates !== undefined && { updates }),
      ...(chance && { chance }),
      primaryMetrics: inRole("primary"),
      secondaryMetrics: inRole("secondary"),
      otherMetrics: inRole("other"),
    };
    return { status: 200, body: { message: "Successfully loaded Pulse Results", data } };
  },

  async getGatePulseResults({ path, query, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const subject = subjectOfRule(gate.id, getRule(gate, path.ruleID).id);
    return monitoringPulse({ subject, named: gate.monitoringMetrics.map(metricID) }, query, context, stores);
  },

  async getHoldoutPulseResults({ path, query, context, stores }) {
    const holdout = await stores.holdouts.get(path.id);
    return monitoringPulse(
      { subject: subjectOfHoldout(holdout.id), named: holdout.monitoringMetrics.map(metricID) },
      query,
      context,
      stores,
    );
  },
} satisfies Partial<Handlers<operations, Env>>;

const needsDays = ({ series, date }: { series?: boolean; date?: string }) => series === true || date !== undefined;

/** The results of the phase that was loaded last. */
async function monitoringPulse({ subject, named }: Monitored, query: MonitoringQuery, context: Context, stores: Stores) {
  const { results, metrics, settings } = stores;
  const moments = await results.listMoments(subject, "last", { withDays: needsDays(query) });
  const known = await metrics.findAll([...named, ...moments.map((one) => one.metricID)]);
  const asked = loadedMetrics(new Map(named.map((id) => [id, "other"])), known, moments);
  const last = lastLoaded(asked);
  const startTime = moments[0]?.startTime;
  const timeZone = zoneLoaded(asked) ?? (await settings.timeZone());
  const question = askedOfMonitoring(subject.type, query, { start: startTime, last, timeZone });
  const units = startTime === undefined ? undefined : await results.countUnits(subject, startTime);
  const data = {
    ds: toDate(question.day ?? last ?? context.now, timeZone),
    timeZone,
    ...(startTime !== undefined && { startTime }),
    ...(units && { units }),
    monitoringMetrics: computePulse(asked, question),
  };
  return { status: 200 as const, body: { message: "Successfully loaded Pulse Results", data } };
}

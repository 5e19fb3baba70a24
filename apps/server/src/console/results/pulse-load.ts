import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, invalid } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { hourOfDay, toDate, toWeekday } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { type Subject, subjectOfExperiment } from "../../results/pulse/subject.ts";
import type { UnitCounts } from "../../results/sql/unit-counts.ts";
import { findRule } from "../common/rule-edits.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { type Gate, measuresUnits } from "../gates/gate.ts";
import { endOfResults } from "./results-end.ts";

/** The results that a request asks a load to compute. */
export type LoadRequest = Omit<Schema<"GatePulseLoadRequest">, "ruleId">;

export type LoadMetric = Schema<"PulseLoadMetric">;
type LoadJob = Schema<"PulseJob">;
export type FinishedState = Schema<"PulseLoadState">;
export type ReloadType = Schema<"PulseLoad">["reloadType"];

/** A load of results. Times are ms. */
export type PulseLoad = {
  id: string;
  subject: Subject;
  createdTime: number;
  /** The person or key that requested it. Null if it was due. */
  creatorName: string | null;
  reloadType: ReloadType;
  turboMode: boolean;
  /** When exposures begin to count, and when events stop counting. */
  startTime: number;
  endTime: number;
  /** The project's time zone of days when the load was created. */
  timeZone: TimeZone;
  metrics: LoadMetric[];
  jobs: LoadJob[];
  /** How many units it compared, if it was one of a gate's rule or a holdout. Null before that is counted. */
  units: UnitCounts | null;
  finishedTime: number | null;
  finishedState: FinishedState | null;
};

/** The run that a load would compute now. Times are ms. */
export type Run = Pick<PulseLoad, "subject" | "startTime" | "endTime" | "timeZone">;

/** @throws AppError invalid_request if the experiment has not started */
export function runOfExperiment(experiment: Experiment, now: number, timeZone: TimeZone): Run {
  const { id, startTime } = experiment;
  if (startTime === null) throw invalid([{ property: "id", errorMessage: "has not started, so it has no results" }]);
  return { subject: subjectOfExperiment(id), startTime, endTime: endOfResults({ ...experiment, startTime }, now, timeZone), timeZone };
}

/** The rule of a gate whose units are kept. @throws AppError invalid_request if it does not exist */
export function requireMeasured(gate: Gate, ruleID: string): Gate["rules"][number] {
  const rule = gate.rules[findRule(gate.rules, ruleID) ?? -1];
  if (!rule) throw invalid([{ property: "ruleId", errorMessage: `is no rule of the gate ${gate.id}` }]);
  if (!measuresUnits(gate))
    throw invalid([{ property: "id", errorMessage: "keeps no units to compare: `measureMetricLifts` is off, and no metrics monitor it" }]);
  return rule;
}

/** @param startTime when the present phase of a gate's rule or a holdout began, ms */
export function runOfPhase(subject: Subject, startTime: number, now: number, timeZone: TimeZone): Run {
  return { subject, startTime, endTime: Math.max(startTime + 1, now), timeZone };
}

/**
 * The requested load.
 * @param named the metrics that the experiment, gate or holdout names
 * @param fresh named metrics without incremental loads
 * @throws AppError invalid_request for contradictory requests
 */
export function newLoad(
  run: Run,
  { refresh = "full", metricIDs = [], turboMode = false }: LoadRequest,
  { named, fresh }: { named: readonly string[]; fresh: ReadonlySet<string> },
  { actor, now }: Pick<Context, "actor" | "now">,
): PulseLoad {
  if (refresh === "metric" && metricIDs.length === 0)
    throw invalid([{ property: "metricIDs", errorMessage: "is required to load single metrics" }]);
  if (refresh !== "metric" && metricIDs.length > 0)
    throw invalid([{ property: "metricIDs", errorMessage: `must be left out of a load that is ${refresh}` }]);
  const ids = { full: named, incremental: named.filter((id) => !fresh.has(id)), metric: [...new Set(metricIDs)] }[refresh];
  return {
    id: randomID(),
    ...run,
    createdTime: now,
    creatorName: actor.id === "system" ? null : actor.name,
    reloadType: refresh,
    turboMode,
    metrics: ids.map((metricID) => ({ metricID, state: "waiting" })),
    jobs: [],
    units: null,
    finishedTime: null,
    finishedState: null,
  };
}

/**
 * When an experiment is due for its daily load, ms; undefined if it is not loaded on this day. The hour and the days of the week, where 0 is
 * Sunday, are those of the project's time zone. An hour that clocks skip is over when they do.
 */
export function dueOn({ scheduledReloadHour, scheduledReloadDays }: Experiment, now: number, timeZone: TimeZone): number | undefined {
  if (scheduledReloadDays && !scheduledReloadDays.includes(toWeekday(now, timeZone))) return undefined;
  return hourOfDay(now, scheduledReloadHour ?? 0, timeZone);
}

/** The final state of a load whose metrics are all decided. One without metrics cannot fail. */
export function summarizeState(metrics: readonly LoadMetric[]): FinishedState {
  const states = new Set(metrics.map(({ state }) => state));
  if (states.size > 1) return states.has("success") ? "partial_failure" : "failure";
  const [only] = states;
  return only === undefined || only === "waiting" ? "success" : only;
}

/** The metrics with those that wait marked. */
export function settled(metrics: readonly LoadMetric[], state: LoadMetric["state"], reason?: string): LoadMetric[] {
  return metrics.map((metric) => (metric.state === "waiting" ? { ...metric, state, ...(reason !== undefined && { reason }) } : metric));
}

/** @param latest the newest load of its subject @throws AppError conflict if it runs */
export function requireNoneRunning(latest: PulseLoad | undefined): void {
  if (!latest || latest.finishedTime !== null) return;
  const { type, id, ruleID } = latest.subject;
  const subject = ruleID === null ? `The ${type} ${id}` : `The rule ${ruleID} of the ${type} ${id}`;
  throw conflict(`${subject} is loading already: its load ${latest.id} has not finished.`);
}

/** @throws AppError conflict if the load has finished */
export function requireUnfinished({ id, finishedTime, finishedState }: PulseLoad): void {
  if (finishedTime !== null) throw conflict(`The load ${id} has finished already: ${finishedState}.`);
}

export function toAnswer(load: PulseLoad): Schema<"PulseLoad"> {
  const { id, creatorName, createdTime, finishedTime, finishedState, startTime, endTime, timeZone, reloadType, turboMode } = load;
  return {
    dagID: id,
    creatorName,
    createdTime,
    ...(finishedTime !== null && finishedState !== null && { finishedTime, finishedState }),
    startDs: toDate(startTime, timeZone),
    endDs: toDate(endTime - 1, timeZone),
    timeZone,
    reloadType,
    turboMode,
  };
}

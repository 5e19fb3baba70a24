import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { conflict, invalid } from "../../errors.ts";
import { dateOf, startOfDay } from "../../results/day.ts";
import { randomID } from "../common/identifier.ts";
import type { Experiment } from "../experiments/experiment.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

type Request = Schema<"PulseLoadRequest">;

export type LoadMetric = Schema<"PulseLoadMetric">;
export type LoadJob = Schema<"PulseJob">;
export type FinishedState = Schema<"PulseLoadState">;
export type ReloadType = Schema<"PulseLoad">["reloadType"];

/** A load of an experiment's results. Times are ms. */
export type PulseLoad = {
  id: string;
  experimentID: string;
  createdTime: number;
  /** Who asked for it. Null if it was due. */
  creatorName: string | null;
  reloadType: ReloadType;
  turboMode: boolean;
  /** When exposures begin to count, and when nothing counts any more. */
  startTime: number;
  endTime: number;
  metrics: LoadMetric[];
  jobs: LoadJob[];
  finishedTime: number | null;
  finishedState: FinishedState | null;
};

/**
 * The load that a request asks for.
 * @param named the metrics that the experiment names
 * @param fresh those of them that need no incremental load
 * @throws AppError invalid_request if the experiment has not started, or if the request contradicts itself
 */
export function newLoad(
  experiment: Experiment,
  { refresh = "full", metricIDs, turboMode = false }: Request,
  { named, fresh }: { named: readonly string[]; fresh: ReadonlySet<string> },
  { actor, now }: Pick<Context, "actor" | "now">,
): PulseLoad {
  if (experiment.startTime === null) throw invalid([{ property: "id", errorMessage: "has not started, so it has no results" }]);
  if (refresh === "metric" && !metricIDs) throw invalid([{ property: "metricIDs", errorMessage: "is required to load single metrics" }]);
  if (refresh !== "metric" && metricIDs)
    throw invalid([{ property: "metricIDs", errorMessage: `must be left out of a load that is ${refresh}` }]);
  const ids = { full: named, incremental: named.filter((id) => !fresh.has(id)), metric: [...new Set(metricIDs)] }[refresh];
  return {
    id: randomID(),
    experimentID: experiment.id,
    createdTime: now,
    creatorName: actor.id === "system" ? null : actor.name,
    reloadType: refresh,
    turboMode,
    startTime: experiment.startTime,
    endTime: Math.max(experiment.startTime + 1, Math.min(now, experiment.endTime ?? now)),
    metrics: ids.map((metricID) => ({ metricID, state: "waiting" })),
    jobs: [],
    finishedTime: null,
    finishedState: null,
  };
}

/**
 * When an experiment is due for its daily load, ms; undefined if it is not loaded on this day. The hour and the days of the week, where 0 is
 * Sunday, are those of UTC.
 */
export function dueOn({ scheduledReloadHour, scheduledReloadDays }: Experiment, now: number): number | undefined {
  const today = startOfDay(now);
  // The epoch began on a Thursday.
  const weekday = (today / DAY_MS + 4) % 7;
  if (scheduledReloadDays && !scheduledReloadDays.includes(weekday)) return undefined;
  return today + (scheduledReloadHour ?? 0) * HOUR_MS;
}

/** How a load ended whose metrics are all decided. One without metrics had nothing to fail. */
export function stateOf(metrics: readonly LoadMetric[]): FinishedState {
  const states = new Set(metrics.map(({ state }) => state));
  if (states.size > 1) return states.has("success") ? "partial_failure" : "failure";
  const [only] = states;
  return only === undefined || only === "waiting" ? "success" : only;
}

/** The metrics with those that wait marked. */
export function settled(metrics: readonly LoadMetric[], state: LoadMetric["state"], reason?: string): LoadMetric[] {
  return metrics.map((metric) => (metric.state === "waiting" ? { ...metric, state, ...(reason !== undefined && { reason }) } : metric));
}

/** @param latest the newest load of an experiment @throws AppError conflict if it runs */
export function requireNoneRunning(latest: PulseLoad | undefined): void {
  if (!latest || latest.finishedTime !== null) return;
  throw conflict(`The experiment ${latest.experimentID} is loading already: its load ${latest.id} has not finished.`);
}

/** @throws AppError conflict if the load has finished */
export function requireUnfinished({ id, finishedTime, finishedState }: PulseLoad): void {
  if (finishedTime !== null) throw conflict(`The load ${id} has finished already: ${finishedState}.`);
}

export function answerOf(load: PulseLoad): Schema<"PulseLoad"> {
  const { id, creatorName, createdTime, finishedTime, finishedState, startTime, endTime, reloadType, turboMode } = load;
  return {
    dagID: id,
    creatorName,
    createdTime,
    ...(finishedTime !== null && finishedState !== null && { finishedTime, finishedState }),
    startDs: dateOf(startTime),
    endDs: dateOf(endTime - 1),
    reloadType,
    turboMode,
  };
}

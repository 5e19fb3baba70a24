import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { randomID } from "../../common/identifier.ts";
import { dateOfDay, formatTimestamp } from "./ingested-days.ts";
import type { Dataset } from "./ingestion-input.ts";

export type RunStatus = Schema<"IngestionRunStatus">;
type DayStatus = Schema<"IngestionDayStatus">;
type FinalStatus = Exclude<RunStatus, "queued" | "running">;

/** Statuses with the times since which they hold, ms. Oldest first. */
export type History<Status> = { time: number; status: Status }[];

/** A day of a source that a run copies. Days are counted since 1970-01-01 in UTC. */
export type RunDay = {
  source: string;
  day: number;
  history: History<DayStatus>;
  rows: number;
  copied: number;
  refused: number;
  message: string | null;
};

/** A pass that copies days of sources. Times are ms. */
export type IngestionRun = {
  id: string;
  dataset: Dataset;
  trigger: "schedule" | "backfill";
  createdTime: number;
  /** The person or key that requested it. Null if it was due. */
  creatorName: string | null;
  /** Whether its days are all known. */
  isPlanned: boolean;
  history: History<RunStatus>;
  updatedTime: number;
  finishedTime: number | null;
  /** In the order of days, and of sources within a day. */
  days: RunDay[];
};

/** The most sources of one run. */
export const MOST_SOURCES = 50;
/** The most statuses of a run that are kept: a run that is interrupted again and again begins as often. The oldest are dropped first. */
const MOST_STATUSES = 20;
const MAX_MESSAGE_LENGTH = 1_000;

type What = Pick<IngestionRun, "dataset" | "trigger"> & { sources: readonly string[]; days: readonly number[] };

/** A run of each of the days of each of the sources. One of the schedule finds further days when it begins. */
export function newRun({ dataset, trigger, sources, days }: What, { actor, now }: Pick<Context, "actor" | "now">): IngestionRun {
  return {
    ...{ id: randomID(), dataset, trigger, createdTime: now, updatedTime: now, finishedTime: null },
    creatorName: trigger === "schedule" ? null : actor.name,
    isPlanned: trigger !== "schedule",
    history: [{ time: now, status: "queued" }],
    days: days.flatMap((day) => sources.map((source) => newRunDay(source, day, now))),
  };
}

export function newRunDay(source: string, day: number, now: number): RunDay {
  return { source, day, history: [{ time: now, status: "queued" }], rows: 0, copied: 0, refused: 0, message: null };
}

/** The history with a further status. */
export function followedBy<Status>(history: History<Status>, status: Status, time: number): History<Status> {
  return history.at(-1)?.status === status ? history : [...history, { time, status }].slice(-MOST_STATUSES);
}

export type Outcome = { status: "success" | "failure"; message: string | null } & Partial<Pick<RunDay, "rows" | "copied" | "refused">>;

/** The day with its outcome. */
export function settled(day: RunDay, { status, rows = 0, copied = 0, refused = 0, message }: Outcome, time: number): RunDay {
  const short = message && message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
  return { ...day, history: followedBy(day.history, status, time), rows, copied, refused, message: short };
}

const latestStatus = <Status>(history: History<Status>) => history.at(-1)?.status as Status;

export const isSettled = ({ history }: RunDay) => ["success", "failure"].includes(latestStatus(history));

/** The final status of a run whose days are all settled. */
export function finalStatus(days: readonly RunDay[]): FinalStatus {
  const succeeded = days.filter(({ history }) => latestStatus(history) === "success").length;
  if (succeeded === days.length) return "success";
  return succeeded === 0 ? "failure" : "partial_failure";
}

function currentStatus(days: readonly RunDay[]): RunStatus {
  if (days.every(isSettled)) return finalStatus(days);
  return days.every(({ history }) => latestStatus(history) === "queued") ? "queued" : "running";
}

export function toAnswer(run: IngestionRun): Schema<"IngestionRun"> {
  const { id, dataset, trigger, creatorName, createdTime, updatedTime, history, days } = run;
  const bySource = new Map<string, RunDay[]>();
  for (const day of days) bySource.set(day.source, [...(bySource.get(day.source) ?? []), day]);
  const granularHistory = [...bySource].map(([source, ofSource]) => ({
    source,
    latestSourceStatus: currentStatus(ofSource),
    statusByDate: ofSource.map(answerOfDay),
  }));
  return {
    ...{ runID: id, dataset, latestStatus: latestStatus(history), trigger, creatorName },
    lastUpdatedAt: formatTimestamp(updatedTime),
    createdAt: formatTimestamp(createdTime),
    sources: [...bySource.keys()],
    dateStamps: [...new Set(days.map(({ day }) => day))].map(dateOfDay),
    runHistory: stamped(history),
    granularHistory,
  };
}

function answerOfDay({ day, history, rows, copied, refused, message }: RunDay): Schema<"IngestionRunDay"> {
  return {
    dateStamp: dateOfDay(day),
    statuses: stamped(history),
    ...{ rowCount: rows, copiedCount: copied, refusedCount: refused, message },
  };
}

function stamped<Status>(history: History<Status>) {
  return history.map(({ time, status }) => ({ statusTimestamp: formatTimestamp(time), status }));
}

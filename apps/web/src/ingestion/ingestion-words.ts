// Ingestion in words. Pure.
import type { Schema } from "../api.ts";
import type { Tone } from "../ui/badge.tsx";
import { namedDays } from "../ui/time-text.ts";
import type { Days } from "./utc-days.ts";

export type Dataset = Schema<"IngestionDataset">;
export type Run = Schema<"IngestionRun">;
export type RunDay = Schema<"IngestionRunDay">;
type KnownDay = Schema<"IngestionStatus">;
type Named = { name: string; tone: Tone };

/** The permission to change sources and start runs. */
export const INGESTION_EDIT = "data_warehouse_ingestion_and_exports_edit_access";

export const DATASETS = [
  { id: "Events", label: "Events" },
  { id: "Exposures", label: "Exposures" },
] as const satisfies readonly { id: Dataset; label: string }[];

/** The known state of a day of a source. */
export type DayState = "copied" | "differs" | "running" | "failed" | "unknown";

export const DAY_STATES: Record<DayState, Named> = {
  copied: { name: "Copied", tone: "good" },
  differs: { name: "Differs", tone: "warn" },
  running: { name: "Running", tone: "active" },
  failed: { name: "Failed", tone: "bad" },
  unknown: { name: "Not copied", tone: "off" },
};

/** Copied rows can also be more than the warehouse has: rows that it lost since stay copied. */
export function stateOfDay(day: Pick<KnownDay, "status" | "rowCount" | "copiedCount"> | undefined): DayState {
  if (day === undefined) return "unknown";
  if (day.status !== "success") return day.status === "running" ? "running" : "failed";
  return day.rowCount === day.copiedCount ? "copied" : "differs";
}

export const RUN_STATES: Record<Run["latestStatus"], Named> = {
  queued: { name: "Waits", tone: "off" },
  running: { name: "Running", tone: "active" },
  success: { name: "Copied", tone: "good" },
  partial_failure: { name: "Partly failed", tone: "warn" },
  failure: { name: "Failed", tone: "bad" },
};

export const isFinished = ({ latestStatus }: Pick<Run, "latestStatus">): boolean => latestStatus !== "queued" && latestStatus !== "running";

/** The last state of a day in a run. */
export const lastState = ({ statuses }: Pick<RunDay, "statuses">): Run["latestStatus"] => statuses.at(-1)?.status ?? "queued";

/** The number of days of sources that a run has processed, regardless of the outcome, and the number of all. */
export function countProgress({ granularHistory }: Pick<Run, "granularHistory">): { done: number; all: number } {
  const days = granularHistory.flatMap(({ statusByDate }) => statusByDate);
  return { done: days.filter((day) => isFinished({ latestStatus: lastState(day) })).length, all: days.length };
}

/** The first and the last day of a run. A run of the schedule can leave out days between them. @returns undefined for a run without days */
export function daysOfRun({ dateStamps }: Pick<Run, "dateStamps">): Days | undefined {
  const sorted = dateStamps.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** The days of a run: 14 Nov – 20 Nov 2025 (UTC). */
export function daysInWords(run: Pick<Run, "dateStamps">): string {
  const days = daysOfRun(run);
  return days === undefined ? "No days" : namedDays(Date.parse(days.first), Date.parse(days.last) + 1);
}

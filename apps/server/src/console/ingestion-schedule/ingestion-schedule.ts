import type { Schema } from "@gatehouse/contract/console";
import type { Dataset } from "../ingestion/ingestion-input.ts";

/** The hour of each dataset, in America/Los_Angeles. */
export type IngestionSchedules = { hours: { [Name in Dataset]: number }; version: number };

const DEFAULT_HOUR = 10;

/** The schedules of a project before any change. */
export const NEW_SCHEDULES: IngestionSchedules = { hours: { Events: DEFAULT_HOUR, Exposures: DEFAULT_HOUR }, version: 0 };

export function changeSchedule(before: IngestionSchedules, dataset: Dataset, hour = DEFAULT_HOUR): IngestionSchedules {
  return { hours: { ...before.hours, [dataset]: hour }, version: before.version + 1 };
}

export function toSchedule({ hours, version }: IngestionSchedules, dataset: Dataset): Schema<"IngestionSchedule"> {
  return { dataset, scheduled_hour_pst: hours[dataset], version };
}

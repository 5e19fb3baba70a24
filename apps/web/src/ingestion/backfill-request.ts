// Requests for backfills. Pure.
import type { WritableSchema } from "../api.ts";
import { counted } from "../charts/format.ts";
import { utcDay } from "../ui/iso-time.ts";
import type { Dataset } from "./ingestion-words.ts";
import { countDays, type Days, faultOfDays } from "./utc-days.ts";

export type Backfill = {
  type: WritableSchema<"IngestionBackfill">["type"];
  dataset: Dataset;
  /** The names of the sources. Empty: every enabled source of the dataset. */
  sources: readonly string[];
  days: Days;
};

/** The most sources of one run. */
export const MOST_SOURCES = 50;

export const backfillBody = ({ type, dataset, sources, days }: Backfill): WritableSchema<"IngestionBackfill"> => ({
  ...{ type, dataset, datestamp_start: days.first, datestamp_end: days.last },
  source: sources.length === 0 ? null : [...sources],
});

/** The fault of the days, if any. A day that has not begun has no rows. */
export function faultOfBackfill(days: Days, now: number): ReturnType<typeof faultOfDays> {
  return faultOfDays(days) ?? (days.last > utcDay(now) ? { last: "Choose a day up to today, in UTC." } : undefined);
}

/** The copied days and sources, in words. */
export function backfillInWords({ dataset, sources, days }: Backfill): string {
  const of =
    sources.length === 0 ? `every source of ${dataset.toLowerCase()} that is copied every day` : counted(sources.length, "sources");
  return `${counted(countDays(days), "days")} of ${of}.`;
}

import type { Schema } from "@gatehouse/contract/console";

/** The days of a report, ms since the epoch. The end is exclusive. */
export type ReportDay = { date: string; start: number; end: number };

export type ReportType = Schema<"ReportType">;

/** A group of an experiment. */
export type ExposedGroup = { experimentID: string; groupID: string };

export type ExposedUnit = { unitID: string; firstTime: number; environment: string };

/** Some units of the day, and the last one that was read, of whatever day; undefined if there is no further one. */
export type ScannedUnits = { units: ExposedUnit[]; last: string | undefined };

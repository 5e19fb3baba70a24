import type { operations, Schema } from "@gatehouse/contract/console";

/** The days of a report, ms since the epoch. The end is exclusive. */
export type ReportDay = { date: string; start: number; end: number };

export type ReportType = Schema<"ReportType">;

export type ReportQuery = operations["getReport"]["parameters"]["query"];

/** A group of an experiment. */
export type ExposedGroup = { experimentID: string; groupID: string };

export type ExposedUnit = { unitID: string; firstTime: number; environment: string };

/** A row in the reading order of a group's units. */
export type ScannedPlace = { unitID: string; environment: string };

/** Units of the day, and the last row that was read, of any day; undefined after the last row. */
export type ScannedUnits = { units: ExposedUnit[]; last: ScannedPlace | undefined };

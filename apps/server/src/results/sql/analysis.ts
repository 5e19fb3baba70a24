import type { Assignments } from "./assignments.ts";
import type { Dimension } from "./dimension.ts";
import type { ExposureSource } from "./exposed.ts";
import type { SourceTable } from "./source-query.ts";

/** The subject of computed results, and their time. Times are ms since the epoch. */
export type Analysis = {
  projectID: string;
  /** The source of units' exposures, or `events` if units enter with their first event, in one group. */
  exposureSource: ExposureSource | { type: "events" };
  /** The unit ID type of the comparison. */
  idType: string;
  /** The environments whose exposures count. */
  environments: readonly string[];
  /** When each day begins, in the project's time zone; ascending. Exposures before the first do not count. */
  days: readonly number[];
  /** When the days before those begin, as far as CUPED reads events. */
  earlierDays: readonly number[];
  /** Events from this time on do not count. */
  end: number;
  /** The property of users that divides units. */
  dimension?: Dimension;
  /**
   * Known units: a JSON text with a list of `GivenUnit`, which `exposureSource`, `idType` and `environments` determine, or the warehouse's
   * rows that assign them.
   */
  units?: string | Assignments;
  /** Given if results are computed from rows of metric sources instead of logged events. */
  sources?: readonly SourceTable[];
};

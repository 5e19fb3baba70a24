import type { Assignments } from "./assignments.ts";
import type { Dimension } from "./dimension.ts";
import type { ExposureSource } from "./exposed.ts";
import type { SourceTable } from "./source-query.ts";

/** Whose results are computed, and when. Times are ms since the epoch. */
export type Analysis = {
  projectID: string;
  /** What shows units something, or `events` if units enter with their first event, in one group. */
  exposureSource: ExposureSource | { type: "events" };
  /** The unit ID type of what is compared. */
  idType: string;
  /** The environments whose exposures count. */
  environments: readonly string[];
  /** When each day begins, in the project's time zone; ascending. Exposures before the first do not count. */
  days: readonly number[];
  /** When the days before those begin, as far as CUPED reads events. */
  earlierDays: readonly number[];
  /** Nothing counts from then on. */
  end: number;
  /** What of the users divides units. */
  dimension?: Dimension;
  /**
   * The units, if they are known already: a JSON text with a list of `GivenUnit`, which `exposureSource`, `idType` and `environments` determine; or the rows of
   * the warehouse that say which there are.
   */
  units?: string | Assignments;
  /** Given if results are computed from rows of metric sources, and not from logged events. */
  sources?: readonly SourceTable[];
};

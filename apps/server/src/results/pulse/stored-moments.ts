import type { TimeZone } from "../../common/time-zone.ts";
import type { FoundPercentile } from "./percentiles.ts";
import type { Shares } from "./shares.ts";
import type { DailySums, GroupSums } from "./sums.ts";

/** What the impact on the whole metric of the project follows from, for metrics whose units add up. */
export type ToplineBasis = {
  shares: Shares;
  /** What each day adds to the metric of all units. Absent if it is unknown or cannot be compared. */
  totals?: readonly number[];
};

/** What a load found out about a metric: the sums of each group, a percentile of its events, or why there is neither. */
export type Found =
  | { groups: GroupSums; isRatio: boolean; topline?: ToplineBasis; percentile?: undefined; reason?: undefined }
  | { groups?: undefined; topline?: undefined; percentile: FoundPercentile; reason?: undefined }
  | { groups?: undefined; topline?: undefined; percentile?: undefined; reason: string };

/** What the last load of a metric found out. Times are ms. */
export type StoredMoments = {
  metricID: string;
  /** When exposures began to count, and when nothing counted any more. */
  startTime: number;
  endTime: number;
  /** Whose days `daily` counts. */
  timeZone: TimeZone;
  loadedTime: number;
  /** The version of the metric whose definition was computed. Null if there was no such metric. */
  version: number | null;
  latest: Found;
  /** What each day adds. Null if it was not computed, as of percentiles, which do not add up. */
  daily: readonly DailySums[] | null;
};

import type { TimeZone } from "../../common/time-zone.ts";
import type { StoredAdjustment } from "./adjustment.ts";
import type { FoundPercentile } from "./percentiles.ts";
import type { Shares } from "./shares.ts";
import type { DailySums, GroupSums } from "./sums.ts";

/** The basis of the impact on the project's whole metric, for metrics whose units add up. */
export type ToplineBasis = {
  shares: Shares;
  /** Each day's addition to the metric of all units. Absent if it is unknown or cannot be compared. */
  totals?: readonly number[];
};

/** A load's finding about a metric: the sums of each group, a percentile of its events, or the reason for missing values. */
export type Found =
  | {
      groups: GroupSums;
      isRatio: boolean;
      topline?: ToplineBasis;
      adjustment?: StoredAdjustment;
      percentile?: undefined;
      reason?: undefined;
    }
  | { groups?: undefined; topline?: undefined; adjustment?: undefined; percentile: FoundPercentile; reason?: undefined }
  | { groups?: undefined; topline?: undefined; adjustment?: undefined; percentile?: undefined; reason: string };

/** The findings of a metric's last load. Times are ms. */
export type StoredMoments = {
  metricID: string;
  /** When exposures began to count, and when events stopped counting. */
  startTime: number;
  endTime: number;
  /** The time zone of the days in `daily`. */
  timeZone: TimeZone;
  loadedTime: number;
  /** The version of the computed metric. Null if the metric did not exist. */
  version: number | null;
  latest: Found;
  /** Each day's additions. Null if they were not computed, as of percentiles, which do not add up. */
  daily: readonly DailySums[] | null;
};

import type { Schema } from "@gatehouse/contract/console";
import { estimateTopline, type ToplineImpact } from "@gatehouse/statistics";
import type { ToplineBasis } from "./stored-moments.ts";

type PulseMetric = Schema<"PulseMetric">;
type Numbers = Pick<PulseMetric, "absoluteChange" | "confidenceIntervalDelta" | "sequentialTestingConfidenceIntervalDelta" | "testUnits">;

/** The group and time of a metric's numbers. */
export type Period = {
  testID: string;
  /** How long units counted, in days; at least one. */
  days: number;
  /** The number of the last day of the results, from 1; undefined for all that were loaded. */
  lastDay: number | undefined;
};

type Answered = Schema<"PulseToplineImpact"> & Pick<PulseMetric, "topline">;

/**
 * The test group's change of the whole metric on a day. Empty if the groups cannot be compared.
 * @param basis undefined if the units of the metric do not add up
 */
export function toplineImpact(numbers: Numbers, basis: ToplineBasis | undefined, { testID, days, lastDay }: Period): Answered {
  const { absoluteChange: delta, confidenceIntervalDelta, sequentialTestingConfidenceIntervalDelta, testUnits = 0 } = numbers;
  const halfWidth = sequentialTestingConfidenceIntervalDelta ?? confidenceIntervalDelta;
  if (delta === undefined || halfWidth === undefined) return {};
  if (!basis) return { topline: { days, reason: "The values of its units do not add up to a sum." } };
  const total = basis.totals?.slice(0, lastDay).reduce((sum, one) => sum + one, 0);
  const exposedShare = basis.shares[testID] || undefined;
  const { impact, halfWidth: half } = estimateTopline({ delta, halfWidth }, { testUnits, days, total, exposedShare });
  const reasons = [
    ...(total === undefined ? ["The total for all users is not known, so there is no percentage."] : []),
    ...(total !== undefined && impact.relative === undefined ? ["Without the test group the metric would be 0."] : []),
    ...(exposedShare === undefined ? ["No unit is to have the test group."] : []),
  ];
  return {
    ...answered(impact, ""),
    ...answered(half, "Delta"),
    topline: {
      days,
      ...(total !== undefined && { total }),
      ...(exposedShare !== undefined && { share: exposedShare }),
      ...(reasons.length > 0 && { reason: reasons.join(" ") }),
    },
  };
}

function answered({ perDay, relative, projectedPerDay, projectedRelative }: ToplineImpact, suffix: "" | "Delta") {
  return {
    [`absoluteToplineImpact${suffix}`]: perDay,
    ...(relative !== undefined && { [`relativeToplineImpact${suffix}`]: 100 * relative }),
    ...(projectedPerDay !== undefined && { [`projectedAbsoluteToplineImpact${suffix}`]: projectedPerDay }),
    ...(projectedRelative !== undefined && { [`projectedRelativeToplineImpact${suffix}`]: 100 * projectedRelative }),
  };
}

import type { Lack, Reason } from "@gatehouse/statistics";
import type { NotUsed } from "./estimates.ts";

const REASONS: Record<Reason, string> = {
  no_units: "The group has no units yet",
  one_unit: "The group has one unit, which has no variance",
  no_variance: "All units have the same value, so chance explains nothing",
  no_denominator: "The group has no units with a denominator yet",
  control_mean_zero: "The control mean is 0, so relative changes are undefined",
  control_mean_uncertain: "The control mean may be 0, so its lift has no interval",
  percentile_of_equal_values: "The values around the percentile are equal, so its error cannot be estimated",
  percentile_of_few_events: "The percentile is too close to the outermost of so few events for its error to be estimated",
  no_weights: "No group is expected to have units",
  one_part: "Fewer than two values have enough data",
};

/** The reason for a metric without results. */
export const NOTHING_LOADED = "No results update has computed this metric yet.";

/** The reason for a missing value, as a sentence. */
export function reasonText(reason: Reason, group?: "control" | "test"): string {
  const text = group === undefined ? REASONS[reason] : REASONS[reason].replace("The group", `The ${group} group`);
  return `${text}.`;
}

/** The reasons for not using earlier behavior of units. */
export const NOT_USED: Record<NotUsed, string> = {
  not_asked: "It was not asked for, or there is nothing to compare.",
  replaced: "Regression on the experiment's covariates replaces it.",
  of_percentile: "A percentile is one of events, and a unit has no such number before its first exposure.",
  few_units: "The groups have 100 units or fewer in total, or the metric is a ratio and a group has fewer than 100.",
  few_values_before: "At most 5% of the units did anything before their first exposure.",
  few_successes: "Too few units succeeded, or failed, for an adjusted mean. The proportions are compared as they are.",
  no_reduction: "The units' behavior before their first exposure doesn't predict their behavior now.",
};

const numberFormat = new Intl.NumberFormat("en-US");
const count = (missing: number, one: string, several = `${one}s`) =>
  `${numberFormat.format(missing)} more ${missing === 1 ? one : several}`;

/** Why no verdict is shown yet, and about how much data is missing. */
export function lackText({ reason, missing = 0 }: Lack): string {
  switch (reason) {
    case "notEnoughUnits":
      return `The smaller group needs ${count(missing, "unit")} for a reliable verdict.`;
    case "notEnoughSuccesses":
      return `The groups need about ${count(missing, "success", "successes")} for a reliable verdict.`;
    case "notEnoughFailures":
      return `The groups need about ${count(missing, "unit")} without success for a reliable verdict.`;
    case "tooSkewed":
      return `A few large values decide the mean. The smaller group needs about ${count(missing, "unit")} for a reliable verdict.`;
    case "skewnessUnknown":
      return "Refresh the results. The last update did not measure how skewed the metric is.";
  }
}

import type { operations } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../errors.ts";
import { dateOf, startOfDay } from "../../results/day.ts";
import type { Asked } from "../../results/pulse.ts";
import type { Experiment } from "../experiments/experiment.ts";

type Query = NonNullable<operations["getExperimentPulseResults"]["parameters"]["query"]>;

const DAY_MS = 24 * 60 * 60 * 1000;
const HALF = 0.5;

/**
 * What a query asks for; what it leaves out is as the experiment says.
 * @param last when the results end, ms; undefined before anything is loaded
 * @throws AppError invalid_request if a group does not exist, or the day is not loaded
 */
export function askedOf(experiment: Experiment, query: Query, last: number | undefined): Asked {
  const groupIDs = experiment.groups.flatMap(({ id }) => (id ? [id] : []));
  const days = daysLoaded(experiment, last);
  requireAnswerable(query, groupIDs, days);
  const { startTime, sequentialTesting = false, duration } = experiment;
  return {
    controlID: query.control,
    testID: query.test,
    testIDs: groupIDs.filter((id) => id !== query.control),
    isCupedAsked: query.cuped ?? true,
    alpha: 1 - (query.confidence ?? Number(experiment.defaultConfidenceInterval)) / 100,
    corrections: {
      bonferroniPerVariant: query.applyBonferroniPerVariant ?? experiment.bonferroniCorrection,
      bonferroniPerMetric: query.applyBonferroniPerMetric ?? experiment.bonferroniCorrectionPerMetric ?? false,
      primaryWeight: query.bonferroniPrimaryMetricWeight ?? HALF,
      benjaminiHochbergPerVariant: query.applyBenjaminiHochbergPerVariant ?? experiment.benjaminiHochbergPerVariant ?? false,
      benjaminiHochbergPerMetric: query.applyBenjaminiHochbergPerMetric ?? experiment.benjaminiHochbergPerMetric ?? false,
      primaryOnly: experiment.benjaminiPrimaryMetricsOnly ?? false,
    },
    plannedEnd: sequentialTesting && startTime !== null ? startTime + duration * DAY_MS : undefined,
    isBayesian: experiment.analyticsType === "bayesian",
    day: days.find((day) => dateOf(day) === query.date),
    hasSeries: query.series ?? false,
  };
}

/** When each day that is loaded begins, ms. */
function daysLoaded({ startTime }: Experiment, last: number | undefined): number[] {
  if (startTime === null || last === undefined) return [];
  const days: number[] = [];
  for (let day = startOfDay(startTime); day <= last; day += DAY_MS) days.push(day);
  return days;
}

function requireAnswerable({ control, test, date }: Query, groupIDs: readonly string[], days: readonly number[]): void {
  const violations: Violation[] = [];
  for (const [property, id] of Object.entries({ control, test })) {
    if (groupIDs.includes(id)) continue;
    violations.push({ property, errorMessage: `is no group of the experiment. Its groups are ${groupIDs.join(", ")}` });
  }
  if (control === test) violations.push({ property: "test", errorMessage: "must be another group than control" });
  const dates = days.map(dateOf);
  if (date !== undefined && !dates.includes(date)) {
    const errorMessage =
      dates.length > 0
        ? `must be from ${dates[0]} to ${dates.at(-1)}, the days that are loaded`
        : "must be left out, since nothing is loaded";
    violations.push({ property: "date", errorMessage });
  }
  if (violations.length > 0) throw invalid(violations);
}

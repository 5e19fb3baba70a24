import type { operations } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import type { Outlook } from "../../results/pulse/detection.ts";
import type { Asked } from "../../results/pulse/pulse.ts";
import { adjustmentOf } from "../experiments/adjustment.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { loadedDay } from "./loaded-days.ts";
import { plannedEnd } from "./results-end.ts";
import { plannedUnits, planSprt } from "./sequential-plans.ts";

type Query = NonNullable<operations["getExperimentPulseResults"]["parameters"]["query"]>;

const HALF = 0.5;
const USUAL_CHANCE = 0.95;

/**
 * The parameters of a query, completed from the experiment.
 * @param last when the results end, ms; undefined before the first load
 * @param timeZone the time zone of the days
 * @throws AppError invalid_request if a group is missing or the day is not loaded
 */
export function resolveQuery(experiment: Experiment, query: Query, last: number | undefined, timeZone: TimeZone): Asked {
  const groupIDs = experiment.groups.flatMap(({ id }) => (id ? [id] : []));
  requireGroups(query, groupIDs);
  const { startTime, sequentialTesting = false } = experiment;
  return {
    controlID: query.control,
    testID: query.test,
    testIDs: groupIDs.filter((id) => id !== query.control),
    isCupedAsked: query.cuped ?? true,
    adjustment: (query.adjustment ?? true) ? adjustmentOf(experiment) : undefined,
    alpha: 1 - (query.confidence ?? Number(experiment.defaultConfidenceInterval)) / 100,
    corrections: {
      bonferroniPerVariant: query.applyBonferroniPerVariant ?? experiment.bonferroniCorrection,
      bonferroniPerMetric: query.applyBonferroniPerMetric ?? experiment.bonferroniCorrectionPerMetric ?? false,
      primaryWeight: query.bonferroniPrimaryMetricWeight ?? HALF,
      holmPerVariant: query.applyHolmPerVariant ?? experiment.holmPerVariant ?? false,
      holmPerMetric: query.applyHolmPerMetric ?? experiment.holmPerMetric ?? false,
      benjaminiHochbergPerVariant: query.applyBenjaminiHochbergPerVariant ?? experiment.benjaminiHochbergPerVariant ?? false,
      benjaminiHochbergPerMetric: query.applyBenjaminiHochbergPerMetric ?? experiment.benjaminiHochbergPerMetric ?? false,
      primaryOnly: experiment.benjaminiPrimaryMetricsOnly ?? false,
    },
    plannedEnd: sequentialTesting ? plannedEnd(experiment, timeZone) : undefined,
    chanceToBeatThreshold: experiment.analyticsType === "bayesian" ? (experiment.defaultChanceToBeatThreshold ?? USUAL_CHANCE) : undefined,
    planSprt: experiment.analyticsType === "sprt" ? (id, testID) => planSprt(experiment, id, testID) : undefined,
    sequence: sequentialTesting ? { narrowestUnits: plannedUnits(experiment, [query.control, query.test]) } : undefined,
    day: loadedDay(query.date, startTime ?? 0, startTime === null ? undefined : last, timeZone),
    timeZone,
    hasSeries: query.series ?? false,
  };
}

/** How an experiment continues. */
export function outlookOf(experiment: Experiment, timeZone: TimeZone): Outlook {
  const { status, sequentialTesting = false } = experiment;
  return { isEnrolling: status === "active", plannedEnd: plannedEnd(experiment, timeZone), isLastAtEnd: sequentialTesting };
}

function requireGroups({ control, test }: Query, groupIDs: readonly string[]): void {
  const violations: Violation[] = [];
  for (const [property, id] of Object.entries({ control, test })) {
    if (groupIDs.includes(id)) continue;
    violations.push({ property, errorMessage: `is no group of the experiment. Its groups are ${groupIDs.join(", ")}` });
  }
  if (control === test) violations.push({ property: "test", errorMessage: "must be another group than control" });
  if (violations.length > 0) throw invalid(violations);
}

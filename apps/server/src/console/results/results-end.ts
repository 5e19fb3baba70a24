import { startOfDate, startOfDayAfter } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Experiment } from "../experiments/experiment.ts";

type Started = Pick<Experiment, "analysisEndTime" | "fixedAnalysisDuration"> & { startTime: number };

/** The end of the period that an experiment's results cover, by its settings, ms. Infinite without such a setting. */
function coveredUntil({ startTime, analysisEndTime, fixedAnalysisDuration }: Started, timeZone: TimeZone): number {
  return Math.min(
    analysisEndTime === undefined ? Number.POSITIVE_INFINITY : startOfDayAfter(startOfDate(analysisEndTime, timeZone), 1, timeZone),
    fixedAnalysisDuration === undefined ? Number.POSITIVE_INFINITY : startTime + fixedAnalysisDuration * DAY_MS,
  );
}

/** The time when events stop counting, as of now, ms: the experiment has ended, or its results cover no later time. */
export function endOfResults(experiment: Started & Pick<Experiment, "endTime">, now: number, timeZone: TimeZone): number {
  const { startTime, endTime } = experiment;
  return Math.max(startTime + 1, Math.min(now, endTime ?? now, coveredUntil(experiment, timeZone)));
}

/** When the results of an experiment are complete as planned, ms; undefined before its start. */
export function plannedEnd(
  { startTime, duration, ...settings }: Omit<Started, "startTime"> & Pick<Experiment, "startTime" | "duration">,
  timeZone: TimeZone,
): number | undefined {
  if (startTime === null) return undefined;
  return Math.min(startTime + duration * DAY_MS, coveredUntil({ ...settings, startTime }, timeZone));
}

import { startOfDate, startOfDay } from "../../common/local-day.ts";
import { computePulse } from "../../results/pulse/pulse.ts";
import type { DailyPulse } from "../../results/reports/daily-pulse.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { resolveQuery } from "../results/experiment-pulse.ts";
import { lastLoaded, zoneLoaded } from "../results/loaded-days.ts";
import { metricsOfExperiment } from "../results/metrics-of-experiment-handlers.ts";
import type { Read, Stores } from "../stores.ts";
import type { ReportDay } from "./report.ts";

/** The comparisons of a day, those of one experiment after the other. */
export async function* dailyPulse(day: ReportDay, read: Read): AsyncGenerator<DailyPulse[], void, undefined> {
  let after = "";
  for (;;) {
    const place = after;
    const ids = await read(({ reports }) => reports.listLoaded(place, day));
    for (const id of ids) {
      yield await read(async (stores) => {
        const experiment = await stores.experiments.find(id);
        return experiment ? readComparisons(experiment, day, stores) : [];
      });
    }
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Stored results may be of an earlier run. It has the days of the time zone at its results update. */
async function readComparisons(experiment: Experiment, { date }: ReportDay, stores: Stores): Promise<DailyPulse[]> {
  const { startTime, controlGroupID } = experiment;
  const groups = experiment.groups.flatMap(({ id, name }) => (id ? [{ id, name }] : []));
  const control = groups.find(({ id }) => id === controlGroupID) ?? groups[0];
  if (startTime === null || !control) return [];
  const metrics = await metricsOfExperiment(experiment, stores, { withDays: true });
  const last = lastLoaded(metrics);
  const timeZone = zoneLoaded(metrics);
  if (last === undefined || timeZone === undefined) return [];
  const start = startOfDate(date, timeZone);
  if (start < startOfDay(startTime, timeZone) || start > last) return [];
  const isLoaded = metrics.map(({ moments }) => moments !== undefined && moments.endTime > start);
  return groups.flatMap((test) => {
    if (test.id === control.id) return [];
    const results = computePulse(metrics, resolveQuery(experiment, { control: control.id, test: test.id, date }, last, timeZone));
    const { id, name } = experiment;
    return results.flatMap((metric, index): DailyPulse[] =>
      isLoaded[index] ? [{ date, experiment: { id, name }, control, test, role: metrics[index]?.role ?? "other", metric }] : [],
    );
  });
}

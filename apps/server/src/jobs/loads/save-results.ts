import { saveProgress } from "../../console/results/load-queue-store.ts";
import type { LoadMetric } from "../../console/results/pulse-load.ts";
import type { Found, StoredMoments } from "../../results/pulse/stored-moments.ts";
import { writing } from "../../store/database/unit-of-work.ts";
import { Left, type LoadRun } from "./load-run.ts";

/** The row that stores a load's finding about a metric. */
export function toStoredMoments({ env, load, input }: LoadRun, metricID: string, latest: Found): StoredMoments {
  const { startTime, endTime, timeZone } = load;
  const version = input.metrics.get(metricID)?.version ?? null;
  return { metricID, startTime, endTime, timeZone, loadedTime: env.now(), version, latest, daily: null };
}

/** Stores results, and the outcomes of their metrics. @throws Left if this replica lost the load */
export async function saveResults({ env, load }: LoadRun, results: StoredMoments[], outcomes: LoadMetric[]): Promise<void> {
  if (outcomes.length === 0) return;
  const byID = new Map(outcomes.map((one) => [one.metricID, one]));
  load.metrics = load.metrics.map((metric) => byID.get(metric.metricID) ?? metric);
  if (!(await writing(env.database, (db) => saveProgress(db, load, results)))) throw new Left();
}

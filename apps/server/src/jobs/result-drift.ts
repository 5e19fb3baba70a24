import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "../common/utc-day.ts";
import { COPY, claimComparison, emptyState, readDrift, saveDrift } from "../console/results/drift-store.ts";
import { addState, deleteStates, isState, type LoadState } from "../console/results/load-state-store.ts";
import { largestDifference } from "../results/incremental/differences.ts";
import type { Analysis } from "../results/sql/analysis.ts";
import { createAnalysis } from "../results/sql/unit-source.ts";
import { repeating, writing } from "../store/database/unit-of-work.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { advanceState, type StateAnalysis } from "./loads/advance-state.ts";
import { sumState } from "./loads/sum-state.ts";

const WEEK_MS = 7 * DAY_MS;
/** Beyond this relative difference, more than the order of additions differs. */
const MAX_DRIFT = 1e-9;
/** Units and events that arrive during a comparison can differ, so it is repeated. */
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/** What the job knows, for the metrics of the server. */
export type ResultDrift = { job: Job; latest(): number };

/**
 * Compares the sums of one state with those of a new one, which reads all events: once a week, on one replica. A state that has drifted is made
 * from all events by its next load.
 */
export function createResultDrift(): ResultDrift {
  let latest = 0;
  return {
    latest: () => latest,
    job: {
      name: "resultDrift",
      intervalMs: 60 * 60 * 1_000,
      async run(env) {
        const { database, now } = env;
        if (!database.db.clickhouse)
          await checkOne(env, await repeating(database, (db) => claimComparison(db, { since: now() - WEEK_MS, now: now() })));
        latest = await repeating(database, readDrift);
      },
    },
  };
}

async function checkOne(env: JobEnv, state: LoadState | undefined): Promise<void> {
  if (!state) return;
  const { database, log } = env;
  let drift = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && drift > MAX_DRIFT; attempt++) {
    if (attempt > 0) await sleep(PAUSE_MS);
    drift = Math.min(drift, await compare(env, state));
  }
  await repeating(database, (db) => saveDrift(db, state, drift));
  if (drift <= MAX_DRIFT) return;
  const metrics = state.scope.metrics.map(({ id }) => id);
  log.error(
    { drift, projectID: state.projectID, metrics },
    "Stored results differ from those of all events. The next load reads all events.",
  );
  await writing(database, (db) => emptyState(db, state));
}

/** The largest relative difference between the sums of a state and those of a copy, of the days that were over at its last load. */
async function compare({ database, now, stopping }: JobEnv, state: LoadState): Promise<number> {
  const { projectID, scope, arrivals } = state;
  const { rest } = scope;
  const plans = scope.metrics.map(({ plan }) => plan);
  const analysisTo = (endTime: number): StateAnalysis => {
    const given = { projectID, environments: rest.environments, startTime: rest.startTime, timeZone: rest.timeZone };
    const analysis: Analysis = createAnalysis(rest, { ...given, endTime, plans, isWithoutDays: false });
    return { ...analysis, exposureSource: rest.exposureSource };
  };
  const lastArrival = Math.max(...arrivals.filter(({ day, until }) => until === (day + 1) * DAY_MS).map(({ day }) => day));
  const end = Math.min((lastArrival + 1) * DAY_MS, Math.max(...arrivals.map(({ until }) => until)));
  if (!Number.isFinite(end) || end <= rest.startTime) return 0;
  const signal = stopping ?? new AbortController().signal;
  const readTo = analysisTo(Math.max(...arrivals.map(({ until }) => until)));
  const sums = async (one: LoadState) => {
    await advanceState({ database, now, signal, analysis: readTo, keepsEvents: true }, one);
    return sumState({ database, signal, analysis: analysisTo(end), lastArrival }, one, plans);
  };
  const subject = { type: COPY, id: String(state.id), ruleID: null } as const;
  const copy = await writing(database, (db) => addState(db, projectID, subject, { scope, idType: rest.idType, now: now() }));
  try {
    return largestDifference(await sums(state), await sums(copy));
  } finally {
    await writing(database, (db) => deleteStates(db, isState(copy)));
  }
}

import { systemContext } from "../common/system-context.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import type { Experiment } from "../console/experiments/experiment.ts";
import type { Metric } from "../console/metrics/metric.ts";
import { type ClaimedLoad, finishLoad, releaseLoad, renewLease, saveProgress } from "../console/results/load-queue-store.ts";
import { comparedInPhase } from "../console/results/phase.ts";
import { type LoadMetric, stateOf } from "../console/results/pulse-load.ts";
import { readSources, type SourcesRead } from "../console/results/sources-read.ts";
import type { Stores } from "../console/stores.ts";
import { divided, type Planned, type PlannedPercentile } from "../results/plans/load-parts.ts";
import { addsUp } from "../results/plans/topline-plan.ts";
import { askPercentile } from "../results/pulse/ask-percentile.ts";
import { type Shares, sharesOfGroups, sharesOfPassing } from "../results/pulse/shares.ts";
import type { Found, StoredMoments, ToplineBasis } from "../results/pulse/stored-moments.ts";
import type { Subject } from "../results/pulse/subject.ts";
import { dailySums, sumsAsOf } from "../results/pulse/sums.ts";
import type { Analysis } from "../results/sql/analysis.ts";
import { analysisOf, type Compared, comparedByExperiment } from "../results/sql/compared.ts";
import { type MomentsRow, momentsQuery } from "../results/sql/moments-query.ts";
import type { Statement } from "../results/sql/statement.ts";
import { type UnitCounts, unitCounts } from "../results/sql/unit-counts.ts";
import { dialectOf } from "../store/database/ask.ts";
import { isConnectionLoss, isTimeout } from "../store/database/database-errors.ts";
import type { AnalysisOptions } from "../store/database/engines.ts";
import { writing } from "../store/database/unit-of-work.ts";
import type { ResultEngine } from "../warehouse/result-engines.ts";
import { NotComputable, reasonOf } from "../warehouse/source-tables.ts";
import { WarehouseFailure } from "../warehouse/warehouse.ts";
import { type CountUnits, checkHealth } from "./experiment-health.ts";
import type { JobEnv } from "./jobs.ts";
import { openResultEngines, type ResultEngines } from "./result-engines.ts";
import { type Totals, totalMetrics } from "./total-metrics.ts";
import { whileLeased } from "./while-leased.ts";
import { writeAs } from "./write-as.ts";

const OPERATION = "runPulseLoad";

/** The load is no longer this replica's: it was cancelled, taken over, or is left to others. */
class Left extends Error {}

type Known = {
  compared: Compared;
  /** Undefined for gates' rules and holdouts. */
  experiment: Experiment | undefined;
  shares: Shares;
  metrics: Map<string, Metric>;
  environments: string[];
} & SourcesRead;
type Run = {
  env: JobEnv;
  load: ClaimedLoad;
  known: Known;
  engines: ResultEngines;
  totals: Totals;
  signal: AbortSignal;
  timeoutMs: number;
};

/**
 * Runs a load that this replica has claimed, from where an earlier replica left it. What a statement has computed is stored at once.
 * @param timeoutMs the most time for one statement
 */
export async function runLoad(env: JobEnv, load: ClaimedLoad, timeoutMs: number): Promise<void> {
  const { database, stopping } = env;
  try {
    await whileLeased(
      env,
      (until) => renewLease(database.db, load, until),
      (signal) => computeAll(env, load, { timeoutMs, signal }),
    );
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    if (stopping?.aborted) await releaseLoad(database.db, load);
  }
}

async function computeAll(env: JobEnv, load: ClaimedLoad, options: AnalysisOptions): Promise<void> {
  const { database, now } = env;
  const known = await readKnown(env, load);
  const engines = openResultEngines(env, { projectID: load.projectID, operation: OPERATION, known, options });
  const run = { env, load, known, engines, totals: new Map(), ...options };
  await runParts(run);
  await finishLoad(database.db, load, stateOf(load.metrics), now());
  if (known.experiment)
    await checkHealth(
      env,
      { projectID: load.projectID, experiment: known.experiment },
      { eventsTimeoutMs: options.timeoutMs, ...(engines.countUnits && { countUnits: countingUnits(run, engines.countUnits) }) },
    );
}

/** What a load compares and its metrics as they are now. */
function readKnown({ database, now }: JobEnv, load: ClaimedLoad): Promise<Known> {
  return writeAs(database, systemContext(OPERATION, now(), load.projectID), async (stores) => {
    const [subject, metrics, environments] = await Promise.all([
      readSubject(stores, load.subject),
      stores.metrics.findAll(load.metrics.map((one) => one.metricID)),
      stores.environments.get(),
    ]);
    const components = await stores.metrics.findAll(metrics.flatMap(({ lineage }) => lineage.metrics));
    return {
      ...subject,
      ...(await readSources(stores, metrics, subject.experiment)),
      metrics: new Map([...components, ...metrics].map((metric) => [metric.id, metric])),
      environments: productionTiers(environments),
    };
  });
}

/** @throws Left if it was deleted, and its loads with it */
async function readSubject(stores: Stores, { type, id, ruleID }: Subject): Promise<Pick<Known, "compared" | "experiment" | "shares">> {
  if (type === "experiment") {
    const experiment = await stores.experiments.find(id);
    if (!experiment) throw new Left();
    return { compared: comparedByExperiment(experiment), experiment, shares: sharesOfGroups(experiment) };
  }
  const holder = await (type === "gate" ? stores.gates : stores.holdouts).find(id);
  if (!holder) throw new Left();
  const compared = comparedInPhase(holder, ruleID);
  return { compared, experiment: undefined, shares: sharesOfPassing(compared.exposer) };
}

/** Counts units on the warehouse, or says why it did not, as metrics do. */
function countingUnits(run: Run, count: CountUnits): CountUnits {
  return async (scope) => {
    try {
      return await count(scope);
    } catch (error) {
      rethrow(run, error);
      return { reason: outcomeOf(error, run).reason };
    }
  };
}

/** Does what no metric depends on. A failure is logged. */
async function aside({ env, load, signal }: Run, whenFailed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    if (signal.aborted) throw new Left();
    if (isConnectionLoss(err)) throw err;
    env.log.warn({ err, projectID: load.projectID, load: load.id }, whenFailed);
  }
}

/** Counts the units of a gate's rule or a holdout. */
async function countUnits({ env, load, known, signal, timeoutMs }: Run): Promise<void> {
  const { projectID, startTime, endTime } = load;
  const { exposer } = known.compared;
  const { text, parameters } = unitCounts(
    { projectID, exposer, environments: known.environments, startTime, endTime },
    dialectOf(env.database.db),
  );
  const values = parameters.map(({ value }) => value);
  [load.units = null] = await env.database.analyse<UnitCounts>(text, values, { timeoutMs, signal });
}

async function runParts(run: Run): Promise<void> {
  const { load, known } = run;
  if (!known.experiment) await aside(run, "The units of a load could not be counted.", () => countUnits(run));
  const waiting = load.metrics.flatMap((metric) => (metric.state === "waiting" ? [metric.metricID] : []));
  const { parts, percentiles, refused } = divided(waiting, known.metrics, known.compared);
  await save(
    run,
    refused.map(({ metricID: id, reason }) => foundOf(run, id, { reason })),
    refused.map(({ metricID: id, reason }): LoadMetric => ({ metricID: id, state: "failure", reason })),
  );
  await aside(run, "The metrics of a load could not be totalled.", async () => {
    const ofEvents = parts.flat().filter(({ plan }) => plan.from === undefined);
    run.totals = await totalMetrics(run, ofEvents, analysisFor(run, { preMs: 0, isWithoutDays: load.turboMode }));
  });
  for (const part of parts) await runPart(run, part);
  for (const one of percentiles) await runPercentile(run, one);
}

function analysisFor({ load, known }: Run, asked: { preMs: number; isWithoutDays: boolean }): Analysis {
  const { projectID, startTime, endTime, timeZone } = load;
  return analysisOf(known.compared, { projectID, environments: known.environments, startTime, endTime, timeZone, ...asked });
}

/** Computes metrics together; if that fails, each alone, so that a metric that fails hurts no other. */
async function runPart(run: Run, part: Planned[]): Promise<void> {
  try {
    await compute(run, part);
  } catch (error) {
    rethrow(run, error);
    if (part.length > 1) for (const one of part) await runPart(run, [one]);
    else await fail(run, part[0] as Planned, error);
  }
}

async function runPercentile(run: Run, planned: PlannedPercentile): Promise<void> {
  try {
    await computePercentile(run, planned);
  } catch (error) {
    rethrow(run, error);
    await fail(run, planned, error);
  }
}

/** Throws what is no failure of a metric. */
function rethrow({ signal }: Run, error: unknown): void {
  if (signal.aborted) throw new Left();
  if (error instanceof Left || (!(error instanceof WarehouseFailure) && isConnectionLoss(error))) throw error;
}

async function compute(run: Run, part: Planned[]): Promise<void> {
  const { load } = run;
  const analysis = analysisFor(run, { preMs: part[0]?.plan.preMs ?? 0, isWithoutDays: load.turboMode });
  const plans = part.map(({ plan }) => plan);
  const engine = await run.engines.engineFor(plans, analysis);
  const rows = await ask<MomentsRow>(run, part, engine, momentsQuery(plans, engine.analysis, engine.dialect));
  const found = part.map(({ metric, plan }, index) => {
    const daily = dailySums(rows.filter((row) => Number(row.metric) === index));
    const topline = addsUp(plan) && plan.from === undefined ? basisOf(run, metric.id) : undefined;
    const latest: Found = { groups: sumsAsOf(daily), isRatio: plan.denominator !== undefined, ...(topline && { topline }) };
    return { ...foundOf(run, metric.id, latest), daily: load.turboMode ? null : daily };
  });
  await save(
    run,
    found,
    part.map(({ metric }): LoadMetric => ({ metricID: metric.id, state: "success" })),
  );
}

function basisOf({ known: { shares }, totals }: Run, metricID: string): ToplineBasis {
  const found = totals.get(metricID);
  return { shares, ...(found && { totals: found }) };
}

async function computePercentile(run: Run, planned: PlannedPercentile): Promise<void> {
  const { metric, plan } = planned;
  const analysis = analysisFor(run, { preMs: 0, isWithoutDays: true });
  const engine = await run.engines.engineFor([plan], analysis);
  const percentile = await askPercentile((statement) => ask(run, [planned], engine, statement), plan, engine.analysis, engine.dialect);
  await save(run, [foundOf(run, metric.id, { percentile })], [{ metricID: metric.id, state: "success" }]);
}

/** Runs a statement, and notes that in the load. */
async function ask<Row>(
  { env, load }: Run,
  metrics: readonly { metric: Metric }[],
  engine: ResultEngine,
  statement: Statement,
): Promise<Row[]> {
  const startTime = env.now();
  const rows = await engine.ask<Row>(statement);
  const jobIDs = metrics.map(({ metric }) => metric.id);
  load.jobs.push({ jobType: "metrics", jobIDs, startTime, endTime: env.now(), sql: engine.shown(statement) });
  return rows;
}

async function fail(run: Run, { metric }: { metric: Metric }, error: unknown): Promise<void> {
  const { env, load } = run;
  env.log.warn({ err: error, projectID: load.projectID, load: load.id, metric: metric.id }, "A metric could not be computed.");
  const { state, reason } = outcomeOf(error, run);
  // What earlier loads found out stays.
  await save(run, [], [{ metricID: metric.id, state, reason }]);
}

function outcomeOf(error: unknown, { timeoutMs }: Run): { state: "timeout" | "failure"; reason: string } {
  if (error instanceof NotComputable) return { state: "failure", reason: reasonOf(error) };
  if (error instanceof WarehouseFailure) return { state: error.kind === "late" ? "timeout" : "failure", reason: reasonOf(error) };
  if (isTimeout(error)) return { state: "timeout", reason: `It took longer than ${timeoutMs / 1_000} s.` };
  return { state: "failure", reason: `The database refused it: ${(error as Error).message}.` };
}

function foundOf({ env, load, known }: Run, id: string, latest: Found): StoredMoments {
  const { startTime, endTime, timeZone } = load;
  const version = known.metrics.get(id)?.version ?? null;
  return { metricID: id, startTime, endTime, timeZone, loadedTime: env.now(), version, latest, daily: null };
}

/** @throws Left if the load is no longer this replica's */
async function save({ env, load }: Run, found: StoredMoments[], outcomes: LoadMetric[]): Promise<void> {
  if (outcomes.length === 0) return;
  const byID = new Map(outcomes.map((one) => [one.metricID, one]));
  load.metrics = load.metrics.map((metric) => byID.get(metric.metricID) ?? metric);
  if (!(await writing(env.database, (db) => saveProgress(db, load, found)))) throw new Left();
}

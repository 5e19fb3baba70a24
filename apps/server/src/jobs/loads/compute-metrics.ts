import type { Metric } from "../../console/metrics/metric.ts";
import { othersWait } from "../../console/results/load-queue-store.ts";
import type { LoadMetric } from "../../console/results/pulse-load.ts";
import { divided, type Planned, type PlannedPercentile } from "../../results/plans/load-parts.ts";
import { addsUp } from "../../results/plans/topline-plan.ts";
import { askPercentile } from "../../results/pulse/ask-percentile.ts";
import { askSums } from "../../results/pulse/ask-sums.ts";
import type { Found, ToplineBasis } from "../../results/pulse/stored-moments.ts";
import { type DailySums, sumsAsOf } from "../../results/pulse/sums.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { type MomentsRow, momentsQuery } from "../../results/sql/moments-query.ts";
import { type Statement, written } from "../../results/sql/statement.ts";
import { createAnalysis } from "../../results/sql/unit-source.ts";
import { eventDialect } from "../../store/database/ask.ts";
import type { ResultEngine } from "../../warehouse/result-engines.ts";
import type { StateAnalysis } from "./advance-state.ts";
import { isStored, sumStored, toStoredParts } from "./compute-stored.ts";
import { toFailure, withoutHarm } from "./failures.ts";
import { type LoadRun, TurnOver } from "./load-run.ts";
import { openAdjustment } from "./open-adjustment.ts";
import type { ReadAdjustment } from "./read-adjustment.ts";
import { saveResults, toStoredMoments } from "./save-results.ts";
import type { StoredPart } from "./stored-parts.ts";
import { noteTotals, type Totals, totalMetrics } from "./total-metrics.ts";

/** Computes the metrics of a load that wait, several in one statement, and stores each result at once. */
export async function computeMetrics(run: LoadRun): Promise<void> {
  const { load, input } = run;
  const waiting = load.metrics.flatMap((metric) => (metric.state === "waiting" ? [metric.metricID] : []));
  const { parts, percentiles, refused } = divided(waiting, input.metrics, input.compared);
  await saveResults(
    run,
    refused.map(({ metricID, reason }) => toStoredMoments(run, metricID, { reason })),
    refused.map(({ metricID, reason }): LoadMetric => ({ metricID, state: "failure", reason })),
  );
  const stored = await toStoredParts(
    run,
    parts.flat().filter((one) => isStored(run, one)),
  );
  const others = parts.map((part) => part.filter((one) => !isStored(run, one))).filter((part) => part.length > 0);
  const known = { totals: await readTotals(run, others.flat()), readAdjustment: openAdjustment(run) };
  const steps = [
    ...stored.map((part) => () => computeStored(run, known, part)),
    ...others.map((part) => () => computePart(run, known, part)),
    ...percentiles.map((one) => () => orFail(run, one, () => computePercentile(run, one))),
  ];
  for (const [index, step] of steps.entries()) {
    // Each turn has one step at least, so that the load comes to its end.
    if (index > 0) await requireTurn(run);
    await step();
  }
}

/** Totals metrics in one pass over their events. Where that fails, they have no totals. */
async function readTotals(run: LoadRun, planned: readonly Planned[]): Promise<Totals> {
  let totals: Totals = new Map();
  await withoutHarm(run, "The metrics of a load could not be totalled.", async () => {
    const ofEvents = planned.filter(({ plan }) => plan.from === undefined);
    totals = await totalMetrics(run, ofEvents, analysisFor(run, { plans: [], isWithoutDays: run.load.turboMode }));
  });
  return totals;
}

/** The length of a load's turn while loads of other projects wait, ms. The next turn repeats the work that all its metrics share. */
const TURN_MS = 5 * 60 * 1_000;

/** @throws TurnOver */
async function requireTurn({ env: { database, now }, load, begunTime }: LoadRun): Promise<void> {
  if (now() - begunTime >= TURN_MS && (await othersWait(database.db, load, now()))) throw new TurnOver();
}

function analysisFor({ load, input }: LoadRun, asked: Pick<Parameters<typeof createAnalysis>[1], "plans" | "isWithoutDays">): Analysis {
  const { projectID, startTime, endTime, timeZone } = load;
  return createAnalysis(input.compared, { projectID, environments: input.environments, startTime, endTime, timeZone, ...asked });
}

/** What the metrics of a load share. */
type Known = { totals: Totals; readAdjustment: ReadAdjustment | undefined };

/** Computes metrics together; if that fails, each alone, so that a metric that fails hurts no other. */
async function computePart(run: LoadRun, known: Known, part: Planned[]): Promise<void> {
  const [first, ...others] = part;
  if (first && others.length === 0) return orFail(run, first, () => computeMoments(run, known, part));
  try {
    await computeMoments(run, known, part);
  } catch (error) {
    toFailure(error, run);
    for (const one of part) await computePart(run, known, [one]);
  }
}

async function computeMoments(run: LoadRun, known: Known, part: Planned[]): Promise<void> {
  const { load } = run;
  const plans = part.map(({ plan }) => plan);
  const analysis = analysisFor(run, { plans, isWithoutDays: load.turboMode });
  const engine = await run.engines.engineFor(plans, analysis);
  const sums = await askSums((statement) => ask<MomentsRow>(run, part, engine, statement), plans, engine.analysis, engine.dialect);
  await saveSums(run, known, part, sums);
}

/**
 * Computes metrics from what earlier loads stored and what arrived since. If that fails, reads all events. The statement that a load shows
 * returns the same sums.
 */
async function computeStored(run: LoadRun, known: Known, part: StoredPart): Promise<void> {
  const { env, load } = run;
  const { planned } = part;
  const plans = planned.map(({ plan }) => plan);
  const analysis = analysisFor(run, { plans, isWithoutDays: false }) as StateAnalysis;
  const startTime = env.now();
  try {
    const { sums, totals } = await sumStored(run, part, analysis);
    noteTotals(run, planned, analysis, startTime);
    const dialect = eventDialect(env.database.db);
    const jobIDs = planned.map(({ metric }) => metric.id);
    load.jobs.push({
      jobType: "metrics",
      jobIDs,
      startTime,
      endTime: env.now(),
      sql: written(momentsQuery(plans, analysis, dialect), dialect),
    });
    await saveSums(run, { ...known, totals }, planned, sums);
  } catch (err) {
    toFailure(err, run);
    env.log.warn({ err, projectID: load.projectID, load: load.id }, "Stored days of units could not be used. All events are read.");
    await computePart(run, { ...known, totals: await readTotals(run, planned) }, planned);
  }
}

async function saveSums(run: LoadRun, known: Known, part: readonly Planned[], sums: readonly DailySums[][]): Promise<void> {
  const { load } = run;
  const { totals, readAdjustment } = known;
  const groups = sums.map((daily) => sumsAsOf(daily));
  const adjustments = await readAdjustment?.(part, groups, (all) => analysisFor(run, { plans: all, isWithoutDays: true }));
  const results = part.map(({ metric, plan }, index) => {
    const daily = sums[index] ?? [];
    const adjustment = adjustments?.[index];
    const topline = addsUp(plan) && plan.from === undefined ? toplineBasis(run, totals, metric.id) : undefined;
    const latest: Found = {
      ...{ groups: groups[index] ?? {}, isRatio: plan.denominator !== undefined },
      ...(topline && { topline }),
      ...(adjustment && { adjustment }),
    };
    return { ...toStoredMoments(run, metric.id, latest), daily: load.turboMode ? null : daily };
  });
  await saveResults(
    run,
    results,
    part.map(({ metric }): LoadMetric => ({ metricID: metric.id, state: "success" })),
  );
}

function toplineBasis({ input: { shares } }: LoadRun, totals: Totals, metricID: string): ToplineBasis {
  const found = totals.get(metricID);
  return { shares, ...(found && { totals: found }) };
}

async function computePercentile(run: LoadRun, planned: PlannedPercentile): Promise<void> {
  const { metric, plan } = planned;
  const analysis = analysisFor(run, { plans: [], isWithoutDays: true });
  const engine = await run.engines.engineFor([plan], analysis);
  const percentile = await askPercentile((statement) => ask(run, [planned], engine, statement), plan, engine.analysis, engine.dialect);
  await saveResults(run, [toStoredMoments(run, metric.id, { percentile })], [{ metricID: metric.id, state: "success" }]);
}

/** Runs a statement, and notes that in the load. */
async function ask<Row>(
  { env, load }: LoadRun,
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

/** Computes one metric, or stores why it failed. Results of earlier loads stay. */
async function orFail(run: LoadRun, { metric }: { metric: Metric }, compute: () => Promise<void>): Promise<void> {
  try {
    await compute();
  } catch (error) {
    const { env, load } = run;
    const { state, reason } = toFailure(error, run);
    env.log.warn({ err: error, projectID: load.projectID, load: load.id, metric: metric.id }, "A metric could not be computed.");
    await saveResults(run, [], [{ metricID: metric.id, state, reason }]);
  }
}

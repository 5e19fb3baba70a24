import type { ClaimedLoad } from "../../console/results/load-queue-store.ts";
import type { Planned } from "../../results/plans/load-parts.ts";
import { hasTotal } from "../../results/plans/topline-plan.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import type { Dialect } from "../../results/sql/dialect.ts";
import { type Statement, written } from "../../results/sql/statement.ts";
import { dailyTotals, type TotalsRow, totalsQuery } from "../../results/sql/totals-query.ts";
import { eventDialect } from "../../store/database/ask.ts";
import type { JobEnv } from "../jobs.ts";

/** The most metrics that one statement totals: each is a column of the answer. */
const METRICS_PER_STATEMENT = 200;
/** The most time for one statement: metrics wait for it, and could do without. */
const MAX_TIMEOUT_MS = 60_000;

/** The sum of a metric over all units of the project, for each day, by its id. */
export type Totals = ReadonlyMap<string, readonly number[]>;

type Totalling = { env: JobEnv; load: ClaimedLoad; signal: AbortSignal; timeoutMs: number };

/** Totals the metrics of a load that have a total, in one pass over their events. */
export async function totalMetrics(
  { env, load, signal, timeoutMs }: Totalling,
  planned: readonly Planned[],
  analysis: Analysis,
): Promise<Totals> {
  const dialect = eventDialect(env.database.db);
  const waiting = planned.filter(({ plan }) => hasTotal(plan));
  const found = new Map<string, readonly number[]>();
  while (waiting.length > 0) {
    const part = waiting.splice(0, METRICS_PER_STATEMENT);
    const statement = statementFor(part, analysis, dialect);
    const values = statement.parameters.map(({ value }) => value);
    const startTime = env.now();
    const rows = await env.database.analyse<TotalsRow>(statement.text, values, { timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS), signal });
    const jobIDs = part.map(({ metric }) => metric.id);
    load.jobs.push({ jobType: "topline", jobIDs, startTime, endTime: env.now(), sql: written(statement, dialect) });
    const totals = dailyTotals(rows, part.length, analysis.days.length);
    if (totals) for (const [index, id] of jobIDs.entries()) found.set(id, totals[index] ?? []);
  }
  return found;
}

/** Notes in a load the statement whose answer is that of the totals which it takes from stored days. */
export function noteTotals(
  { env, load }: Pick<Totalling, "env" | "load">,
  planned: readonly Planned[],
  analysis: Analysis,
  startTime: number,
): void {
  const totalled = planned.filter(({ plan }) => hasTotal(plan));
  if (totalled.length === 0) return;
  const dialect = eventDialect(env.database.db);
  const jobIDs = totalled.map(({ metric }) => metric.id);
  load.jobs.push({
    jobType: "topline",
    jobIDs,
    startTime,
    endTime: startTime,
    sql: written(statementFor(totalled, analysis, dialect), dialect),
  });
}

function statementFor(planned: readonly Planned[], analysis: Analysis, dialect: Dialect): Statement {
  return totalsQuery(
    planned.map(({ plan }) => plan),
    analysis,
    dialect,
  );
}

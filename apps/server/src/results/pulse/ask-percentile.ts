import type { PercentilePlan } from "../plans/plan.ts";
import type { Analysis } from "../sql/analysis.ts";
import type { Dialect } from "../sql/dialect.ts";
import { type BoundsRow, boundsQuery, type PercentileRow, percentileQuery } from "../sql/percentile-query.ts";
import type { Statement } from "../sql/statement.ts";
import { computeLevels, type FoundPercentile, foundPercentile } from "./percentiles.ts";

type Ask = <Row>(statement: Statement) => Promise<Row[]>;

/** Computes a percentile: the levels follow from the first answer, and their values from a second one. */
export async function askPercentile(ask: Ask, plan: PercentilePlan, analysis: Analysis, dialect: Dialect): Promise<FoundPercentile> {
  const rows = await ask<PercentileRow>(percentileQuery(plan, analysis, dialect));
  const levels = computeLevels(rows, plan.percentile);
  const bounds = levels.length > 0 ? await ask<BoundsRow>(boundsQuery(plan, levels, analysis, dialect)) : [];
  return foundPercentile(plan.percentile, rows, levels, bounds);
}

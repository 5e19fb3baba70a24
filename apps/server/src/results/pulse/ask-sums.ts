import type { Plan } from "../plans/plan.ts";
import type { Analysis } from "../sql/analysis.ts";
import type { Dialect } from "../sql/dialect.ts";
import { type MomentsRow, momentsQuery } from "../sql/moments-query.ts";
import type { Statement } from "../sql/statement.ts";
import { findBases } from "./sum-moments.ts";
import { type DailySums, dailySums, sumsAsOf } from "./sums.ts";

type Ask = (statement: Statement) => Promise<MomentsRow[]>;

/**
 * Each day's additions to the sums of several plans, in their order. Sums of large numbers that vary little are requested again as those of
 * deviations from a base, which the first answer gives: one for all groups, days and shards.
 */
export function askSums(ask: Ask, plans: readonly Plan[], analysis: Analysis, dialect: Dialect): Promise<DailySums[][]> {
  return withBases(plans, (asked) => askOnce(ask, asked, analysis, dialect));
}

/** The sums of plans, and those of deviations of plans whose sums lose digits. */
export async function withBases(plans: readonly Plan[], sum: (plans: readonly Plan[]) => Promise<DailySums[][]>): Promise<DailySums[][]> {
  const first = await sum(plans);
  const losing = plans.flatMap((plan, index) => {
    const bases = plan.bases ? undefined : findBases(sumsAsOf(first[index] ?? []), plan.denominator !== undefined);
    return bases ? [{ index, plan: { ...plan, bases } }] : [];
  });
  if (losing.length === 0) return first;
  const again = await sum(losing.map(({ plan }) => plan));
  return first.map((daily, index) => {
    const at = losing.findIndex((one) => one.index === index);
    return again[at] ?? daily;
  });
}

async function askOnce(ask: Ask, plans: readonly Plan[], analysis: Analysis, dialect: Dialect): Promise<DailySums[][]> {
  const rows = await ask(momentsQuery(plans, analysis, dialect));
  return plans.map(({ bases }, index) =>
    dailySums(
      rows.filter((row) => Number(row.metric) === index),
      bases,
    ),
  );
}

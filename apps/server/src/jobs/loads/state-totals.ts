import { utcDay } from "../../common/utc-day.ts";
import { type Arrival, type Arrived, type LoadState, totalArrivals } from "../../console/results/load-state-store.ts";
import type { Plan } from "../../results/plans/plan.ts";
import { hasTotal } from "../../results/plans/topline-plan.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import type { ArrivedTotalsRow } from "../../results/sql/totals-query.ts";
import type { Shards } from "../../results/sql/unit-days.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Totals } from "./total-metrics.ts";

type Totalled = { id: string; plan: Plan };

/** The metrics of a state that have a total, in the order of their amounts. */
const totalledBy = ({ scope }: LoadState): Totalled[] => scope.metrics.filter(({ plan }) => hasTotal(plan));

/** Collects the totals of days of arrival, which one statement or several ones read. */
export function totalling(state: LoadState, analysis: Analysis, days: readonly Arrived[]) {
  const plans = totalledBy(state).map(({ plan }) => plan);
  // Events happened at most at the end of the day of their arrival.
  const arrived = { first: Math.max(days[0]?.day ?? 0, utcDay(analysis.days[0] ?? analysis.end)), last: days.at(-1)?.day ?? 0 };
  const rowsByShard = new Map<number, ArrivedTotalsRow[]>();
  return {
    /** Reads the totals of some shards, in a transaction that may be repeated. */
    async read(db: Db, shards: Shards): Promise<void> {
      if (plans.length === 0 || arrived.first > arrived.last) return;
      rowsByShard.set(shards.first, await totalArrivals(db, plans, { arrived, shards }, analysis));
    },
    found: (): Arrival[] => {
      const rows = [...rowsByShard.values()].flat();
      return days.map((one) => ({ ...one, totals: totalsOfArrival(rows, one.day, plans.length) }));
    },
  };
}

/** For each day on which events of a day of arrival happened: its number, and the amount of each plan. */
function totalsOfArrival(rows: readonly ArrivedTotalsRow[], arrival: number, plans: number): number[][] {
  const byDay = new Map<number, number[]>();
  for (const row of rows.filter((one) => Number(one.arrival) === arrival)) {
    const day = Number(row.day);
    const known = byDay.get(day) ?? Array.from({ length: plans }, () => 0);
    byDay.set(
      day,
      known.map((amount, index) => amount + (row[`t${index}`] ?? 0)),
    );
  }
  return [...byDay].map(([day, amounts]) => [day, ...amounts]);
}

/**
 * The totals of a state's metrics, for each day. Metrics have none if events of these days were dropped, since only those of some units are
 * kept.
 */
export function totalsOf(state: LoadState, { days, end }: Analysis): Totals {
  const first = utcDay(days[0] ?? end);
  if (state.arrivals.some(({ day, seen }) => seen < 0 && day >= first)) return new Map();
  const metrics = totalledBy(state);
  const sums = metrics.map(() => days.map(() => 0));
  for (const { totals } of state.arrivals)
    for (const [day = 0, ...amounts] of totals)
      for (const [index, amount] of amounts.entries()) {
        const own = sums[index];
        if (own && day >= 1 && day <= days.length) own[day - 1] = (own[day - 1] ?? 0) + amount;
      }
  return new Map(metrics.map(({ id }, index) => [id, sums[index] ?? []]));
}

import { utcDay } from "../../common/utc-day.ts";
import { type Arrival, type Arrived, type LoadState, totalArrivals } from "../../console/results/load-state-store.ts";
import type { Plan } from "../../results/plans/plan.ts";
import { hasTotal } from "../../results/plans/topline-plan.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
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
  const byArrival = new Map(days.map(({ day }) => [day, new Map<number, number[]>()]));
  return {
    async add(db: Db, shards: Shards): Promise<void> {
      if (plans.length === 0 || arrived.first > arrived.last) return;
      for (const row of await totalArrivals(db, plans, { arrived, shards }, analysis)) {
        const [byDay, day] = [byArrival.get(Number(row.arrival)), Number(row.day)];
        const known = byDay?.get(day);
        byDay?.set(
          day,
          plans.map((_, index) => (known?.[index] ?? 0) + (row[`t${index}`] ?? 0)),
        );
      }
    },
    found: (): Arrival[] =>
      days.map((one) => ({ ...one, totals: [...(byArrival.get(one.day) ?? [])].map(([day, amounts]) => [day, ...amounts]) })),
  };
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

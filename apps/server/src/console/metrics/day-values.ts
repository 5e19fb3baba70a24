import type { Schema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { startOfDate, startOfDayAfter, toDate } from "../../common/local-day.ts";
import { type TimeZone, UTC } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import { planOfDay } from "../../results/plans/daily-plan.ts";
import type { Components } from "../../results/plans/metric-plan.ts";
import { distinctTerms, type PercentilePlan, type Plan } from "../../results/plans/plan.ts";
import { activityQuery, isOfActivity } from "../../results/sql/activity-query.ts";
import type { Dialect } from "../../results/sql/dialect.ts";
import { eventNames } from "../../results/sql/logged.ts";
import { type ValuedDays, type ValuesRow, valuesQuery } from "../../results/sql/values-query.ts";
import type { Metric } from "./metric.ts";

/** The most events that a preview reads. */
const MAX_EVENTS = 1_000_000;

const DEFAULT_UNIT_TYPE = "userID";

/** The value of a metric on one day. */
export type DayValue = Omit<Schema<"MetricDay">, "date">;

export type DayPlan = Plan | PercentilePlan;

/** @param plans all of activity, or none */
export const valuesStatement = (plans: readonly DayPlan[], days: ValuedDays, dialect: Dialect) =>
  plans.every(isOfActivity) ? activityQuery(plans, days, dialect) : valuesQuery(plans, days, dialect);

/** The names of the events that a plan is computed from; undefined for any event. */
export const eventsOfPlan = (plan: DayPlan): string[] | undefined => eventNames(distinctTerms([plan]));

/** The unit ID types of a metric's values. */
export const listUnitTypes = ({ unitTypes }: Pick<Metric, "unitTypes">): string[] =>
  unitTypes.length > 0 ? unitTypes : [DEFAULT_UNIT_TYPE];

/**
 * @param date as `2025-11-22`
 * @param property of the request that has it
 * @throws AppError invalid_request if the day does not exist or is in the future
 */
export function singleDay(
  date: string,
  now: number,
  timeZone: TimeZone,
  property = "date",
): Pick<ValuedDays, "days" | "end" | "timeZone"> & { days: [number] } {
  const day = startOfDate(date, timeZone);
  // A time zone may have skipped a date.
  if (toDate(day, timeZone) !== date) throw invalid([{ property, errorMessage: `must be a day of the calendar in ${timeZone}` }]);
  if (day > now) throw invalid([{ property, errorMessage: "must not be in the future" }]);
  return { days: [day], end: startOfDayAfter(day, 1, timeZone), timeZone };
}

/** Days that end with the one of a time. @param now ms */
export function lastDays(count: number, now: number, timeZone: TimeZone): Pick<ValuedDays, "days" | "end" | "timeZone"> {
  const days = Array.from({ length: count }, (_, index) => startOfDayAfter(now, index + 1 - count, timeZone));
  return { days, end: startOfDayAfter(now, 1, timeZone), timeZone };
}

/**
 * The days whose events can be read at once. The latest days are kept first.
 * @param counts of events, by the UTC date of their arrival, which is also the date of their storage
 * @param end of the last day, ms: few events of a day arrive later than a day after it
 */
export function readable(days: readonly number[], counts: ReadonlyMap<string, number>, end: number): number[] {
  const last = toDate(end + DAY_MS, UTC);
  const readSince = (first: string) => [...counts].reduce((sum, [date, count]) => (date >= first && date <= last ? sum + count : sum), 0);
  return days.filter((day, index) => index === days.length - 1 || readSince(toDate(day, UTC)) <= MAX_EVENTS);
}

/** The value of each day on which there is one. */
export function valuesByDay(rows: readonly ValuesRow[], index: number, plan: DayPlan): Map<number, DayValue> {
  const own = rows.filter(({ metric }) => Number(metric) === index);
  return new Map(own.map((row) => [Number(row.day), isRatio(plan) ? toRatio(row) : { value: row.numerator, row_count: row.units }]));
}

/** The value of a day without events. */
export function emptyDay(plan: DayPlan): DayValue {
  if ("percentile" in plan) return { row_count: 0 };
  return plan.denominator ? { row_count: 0, numerator: 0, denominator: 0 } : { value: 0, row_count: 0 };
}

const isRatio = (plan: DayPlan) => !("percentile" in plan) && plan.denominator !== undefined;

function toRatio({ units, numerator, denominator }: ValuesRow): DayValue {
  return { ...(denominator !== 0 && { value: numerator / denominator }), row_count: units, numerator, denominator };
}

/** @throws AppError invalid_request if the metric has no value of a day */
export function requirePlan(metric: Metric, components: Components): DayPlan {
  const plan = planOfDay(metric, components);
  if ("reason" in plan) throw invalid([{ property: "id", errorMessage: `has no value of a day: ${plan.reason}` }]);
  return plan;
}

import { DAY_MS } from "../../common/utc-day.ts";
import type { Plan, Term } from "./plan.ts";
import { ALWAYS, planWith } from "./plan-terms.ts";

/** No event is stored longer. */
export const MAX_HISTORY_DAYS = 400;

const active = (withinDays: number): Term => ({ sources: [{ marks: "active", withinDays }], fold: { by: "sum" }, span: ALWAYS });
const days: Term = { sources: [{ marks: "day" }], fold: { by: "sum" }, span: ALWAYS };
const isNew: Term = { sources: [{ marks: "first" }], fold: { by: "any" }, span: ALWAYS };

/** The windows of active users, in days. */
const WEEK = 7;
const MONTH = 28;

/** The plan of each metric of type user, by its name. */
export const USER_PLANS = {
  dau: planWith([active(1)], [days]),
  wau: planWith([active(WEEK)], [days]),
  mau_28day: planWith([active(MONTH)], [days]),
  weekly_stickiness: planWith([active(1)], [active(WEEK)]),
  monthly_stickiness: planWith([active(1)], [active(MONTH)]),
  // Users with any earlier activity are not new, however long ago that was.
  new_dau: { ...planWith([isNew]), preMs: MAX_HISTORY_DAYS * DAY_MS },
} satisfies Record<string, Plan>;

export type UserMetricName = keyof typeof USER_PLANS;

export const isUserMetric = (name: string): name is UserMetricName => Object.hasOwn(USER_PLANS, name);

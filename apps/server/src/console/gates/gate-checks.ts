import type { Schema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { HOUR_MS } from "../../common/utc-day.ts";
import type { Gate } from "./gate.ts";

type ChecksByRule = Schema<"GateChecksByRule">;

const DAY_MS = 24 * HOUR_MS;
/** A check within this time is recent. */
export const RECENT_CHECKS_MS = 7 * DAY_MS;

/** Whether a gate was checked within RECENT_CHECKS_MS. Null if the gate is younger than that and unchecked. */
export function checkedLately(gate: { createdTime: number }, wasChecked: boolean, now: number): boolean | null {
  return wasChecked || now - gate.createdTime >= RECENT_CHECKS_MS ? wasChecked : null;
}

const INTERVALS = {
  hour: { length: HOUR_MS, mostDays: 8 },
  day: { length: DAY_MS, mostDays: 400 },
};

/** A range of whole intervals, ms since the epoch. The end is exclusive. */
export type ChecksRange = { start: number; end: number; interval: ChecksByRule["interval"]; length: number };

type RangeQuery = { start?: number; end?: number; interval?: ChecksByRule["interval"] };

/** @throws AppError invalid_request if the range is empty or too long for its intervals */
export function toChecksRange({ interval = "hour", ...given }: RangeQuery, now: number): ChecksRange {
  const { length, mostDays } = INTERVALS[interval];
  const end = given.end ?? now;
  const start = given.start ?? Math.max(0, end - RECENT_CHECKS_MS);
  if (start > end) throw invalid([{ property: "start", errorMessage: "must not be later than end" }]);
  if (end - start > mostDays * DAY_MS) {
    throw invalid([{ property: "start", errorMessage: `must be at most ${mostDays} days before end for intervals of one ${interval}` }]);
  }
  return { start: Math.floor(start / length) * length, end: Math.ceil(end / length) * length, interval, length };
}

/** The checks in an environment, in the hour that starts at a time, ms since the epoch. */
export type HourChecks = { environment: string; hour: number; checks: number };

const HOURS = 24;
const MOST_ENVIRONMENTS = 20;

/** When the first of the last hours starts, the current one included. Times in ms since the epoch. */
export const startOfLastHours = (now: number): number => (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS;

/** The answer for all gates. @param start of the first hour, ms since the epoch */
export function checksByEnvironment(counted: readonly HourChecks[], start: number): Schema<"ChecksByEnvironment"> {
  const byEnvironment = new Map<string, number[]>();
  for (const { environment, hour, checks } of counted) {
    const hours = byEnvironment.get(environment) ?? Array.from({ length: HOURS }, () => 0);
    byEnvironment.set(environment, hours);
    // An hour that began after the request is not among them.
    const index = (hour - start) / HOUR_MS;
    if (index < HOURS) hours[index] = checks;
  }
  const environments = [...byEnvironment].map(([environment, hours]) => ({
    ...{ environment: environment === "" ? null : environment, hours },
    checks: hours.reduce((sum, checks) => sum + checks, 0),
  }));
  const most = environments.sort((a, b) => b.checks - a.checks).slice(0, MOST_ENVIRONMENTS);
  return { start, end: start + HOURS * HOUR_MS, environments: most };
}

/** The checks of a rule in an interval that starts at a time, ms since the epoch. */
export type RuleChecks = { ruleID: string; time: number; passes: number; fails: number };

/** The answer for a gate. @param checks sorted by time */
export function checksByRule({ rules }: Pick<Gate, "rules">, { start, end, interval }: ChecksRange, checks: RuleChecks[]): ChecksByRule {
  const names = new Map(rules.map((rule) => [rule.id || rule.name, rule.name]));
  const byRule = new Map<string, ChecksByRule["rules"][number]>();
  for (const { ruleID, ...point } of checks) {
    const rule = byRule.get(ruleID) ?? { ruleID, ruleName: names.get(ruleID) ?? null, passes: 0, fails: 0, points: [] };
    byRule.set(ruleID, rule);
    rule.passes += point.passes;
    rule.fails += point.fails;
    rule.points.push(point);
  }
  const total = ({ passes, fails }: { passes: number; fails: number }) => passes + fails;
  return { start, end, interval, rules: [...byRule.values()].sort((a, b) => total(b) - total(a)) };
}

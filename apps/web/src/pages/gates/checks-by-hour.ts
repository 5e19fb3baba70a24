import type { Schema } from "../../api.ts";

/** The checks of all rules in each hour. @param hours their starts, in ms since the epoch */
export function checksByHour(rules: readonly Pick<Schema<"RuleChecks">, "points">[], hours: readonly number[]): number[] {
  const counts = new Map(hours.map((hour) => [hour, 0]));
  for (const { points } of rules) for (const { time, passes, fails } of points) counts.set(time, (counts.get(time) ?? 0) + passes + fails);
  return hours.map((hour) => counts.get(hour) ?? 0);
}

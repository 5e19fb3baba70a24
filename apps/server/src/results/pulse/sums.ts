import { SUMS } from "../sql/measures.ts";
import type { MomentsRow } from "../sql/moments-query.ts";

/** The sums over the units of a group. */
export type Sums = Record<(typeof SUMS)[number], number>;

/** The sums of each group, by its id. */
export type GroupSums = Record<string, Sums>;

/** What a day adds to the sums of a group. Days count from 1. */
export type DailySums = { day: number; groupID: string; sums: Sums };

export const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums;

export function dailySums(rows: readonly MomentsRow[]): DailySums[] {
  return rows.map((row) => ({
    day: Number(row.day),
    groupID: row.grp,
    sums: Object.fromEntries(SUMS.map((name) => [name, row[name]])) as Sums,
  }));
}

/** The sums of each group as of the end of a day; of all days if none is given. */
export function sumsAsOf(daily: readonly DailySums[], last = Number.POSITIVE_INFINITY): GroupSums {
  const groups: GroupSums = {};
  for (const { day, groupID, sums } of daily) {
    if (day > last) continue;
    const before = groups[groupID] ?? NOTHING;
    groups[groupID] = Object.fromEntries(SUMS.map((name) => [name, before[name] + sums[name]])) as Sums;
  }
  return groups;
}

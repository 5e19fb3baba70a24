import type { Bases } from "../plans/plan.ts";
import { SUMS } from "../sql/measures.ts";
import type { MomentsRow } from "../sql/moments-query.ts";

type Named = Record<(typeof SUMS)[number], number>;

/** The sums over the units of a group: of their deviations, if they have bases. */
export type Sums = Named & { bases?: Bases };

/** The sums of each group, by its id. */
export type GroupSums = Record<string, Sums>;

/** A day's additions to the sums of a group. Days count from 1. */
export type DailySums = { day: number; groupID: string; sums: Sums };

export const NOTHING: Sums = Object.fromEntries(SUMS.map((name) => [name, 0])) as Named;

export function dailySums(rows: readonly Omit<MomentsRow, "dim">[], bases?: Bases): DailySums[] {
  return rows.map((row) => ({
    day: Number(row.day),
    groupID: row.grp,
    sums: { ...(Object.fromEntries(SUMS.map((name) => [name, row[name]])) as Named), ...(bases && { bases }) },
  }));
}

/** The bases that all groups have; undefined if the numbers themselves were summed. */
export const basesIn = (groups: GroupSums): Bases | undefined => Object.values(groups).find(({ bases }) => bases)?.bases;

/** The sums of each group as of the end of a day; of all days if none is given. */
export function sumsAsOf(daily: readonly DailySums[], last = Number.POSITIVE_INFINITY): GroupSums {
  const groups: GroupSums = {};
  for (const { day, groupID, sums } of daily) {
    if (day > last) continue;
    groups[groupID] = addSums(groups[groupID] ?? NOTHING, sums);
  }
  return groups;
}

/** The sums over the units of both, whose deviations are from the same bases. */
export function addSums(a: Sums, b: Sums): Sums {
  const added = Object.fromEntries(SUMS.map((name) => [name, a[name] + b[name]])) as Named;
  const bases = b.bases ?? a.bases;
  return { ...added, ...(bases && { bases }) };
}

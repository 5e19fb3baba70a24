import type { Schema } from "@gatehouse/contract/console";
import type { Group } from "./experiment-groups.ts";

type GroupExposures = Schema<"GroupExposures">;

/** How many units saw a group for the first time on a day, which is counted from the epoch. */
export type DailyUnits = { groupID: string; day: number; units: number };

const DAY = 24 * 60 * 60 * 1000;

/** For each group, how many units had seen it by each day on which any group was seen. @param counts in the order of the days */
export function cumulativeExposures(groups: Group[], counts: DailyUnits[]): GroupExposures[] {
  const days = [...new Set(counts.map(({ day }) => day))];
  return groups.map(({ id, name }) => {
    let exposures = 0;
    const results = days.map((day) => {
      exposures += counts.find((count) => count.groupID === id && count.day === day)?.units ?? 0;
      return { date: toDate(day), exposures };
    });
    return { groupID: id, groupName: name, results };
  });
}

function toDate(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

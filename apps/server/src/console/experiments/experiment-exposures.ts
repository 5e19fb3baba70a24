import type { Schema } from "@gatehouse/contract/console";
import type { Group } from "./experiment-groups.ts";

type GroupExposures = Schema<"GroupExposures">;

/** The number of units that saw a group for the first time on a day. Each day has a count of 0 without a group. */
export type DailyUnits = { groupID: string; date: string; units: number };

/** For each group, the cumulative number of units on each day that is counted for any group. @param counts sorted by day */
export function cumulativeExposures(groups: Group[], counts: DailyUnits[]): GroupExposures[] {
  const dates = [...new Set(counts.map(({ date }) => date))];
  const units = new Map(counts.map((count) => [`${count.date} ${count.groupID}`, count.units]));
  return groups.map(({ id, name }) => {
    let exposures = 0;
    const results = dates.map((date) => {
      exposures += units.get(`${date} ${id}`) ?? 0;
      return { date, exposures };
    });
    return { groupID: id, groupName: name, results };
  });
}

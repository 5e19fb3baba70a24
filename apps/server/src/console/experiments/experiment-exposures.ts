import type { Schema } from "@gatehouse/contract/console";
import type { Group } from "./experiment-groups.ts";

type GroupExposures = Schema<"GroupExposures">;

/** How many units saw a group for the first time on a day. */
export type DailyUnits = { groupID: string; date: string; units: number };

/** For each group, how many units had seen it by each day on which any group was seen. @param counts in the order of the days */
export function cumulativeExposures(groups: Group[], counts: DailyUnits[]): GroupExposures[] {
  const dates = [...new Set(counts.map(({ date }) => date))];
  return groups.map(({ id, name }) => {
    let exposures = 0;
    const results = dates.map((date) => {
      exposures += counts.find((count) => count.groupID === id && count.date === date)?.units ?? 0;
      return { date, exposures };
    });
    return { groupID: id, groupName: name, results };
  });
}

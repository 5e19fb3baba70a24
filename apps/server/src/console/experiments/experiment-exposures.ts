import type { Schema } from "@gatehouse/contract/console";
import type { Group } from "./experiment-groups.ts";

type GroupExposures = Schema<"GroupExposures">;

/** The number of units that saw a group for the first time on a day. */
export type DailyUnits = { groupID: string; date: string; units: number };

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * For each group, the cumulative number of units on each day up to the last one with a first exposure of any group. Days without one are
 * listed from the start on: devices may tell of times long before.
 * @param counts sorted by day
 * @param startTime when the experiment started, ms
 */
export function cumulativeExposures(groups: Group[], counts: DailyUnits[], startTime: number): GroupExposures[] {
  const dates = datesOf(counts, startTime);
  const units = new Map(counts.map(({ groupID, date, units }) => [`${date} ${groupID}`, units]));
  return groups.map(({ id, name }) => {
    let exposures = 0;
    const results = dates.map((date) => {
      exposures += units.get(`${date} ${id}`) ?? 0;
      return { date, exposures };
    });
    return { groupID: id, groupName: name, results };
  });
}

function datesOf(counts: DailyUnits[], startTime: number): string[] {
  const dates = new Set(counts.map(({ date }) => date));
  const [first, last] = [counts.at(0)?.date, counts.at(-1)?.date].map((date) => Date.parse(date ?? ""));
  // Calendar days, as if they were those of UTC.
  for (let day = Math.max(first ?? Number.NaN, Date.parse(isoDate(startTime))); day < (last ?? Number.NaN); day += DAY_MS)
    dates.add(isoDate(day));
  return [...dates].sort();
}

const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

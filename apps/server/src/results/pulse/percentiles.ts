import {
  type Estimate,
  estimateRatio,
  lackOfPercentiles,
  type Maybe,
  type PairMoments,
  percentileBetween,
  percentileDegrees,
  percentileLevels,
} from "@gatehouse/statistics";
import type { BoundsRow, GroupLevels, Level, PercentileRow } from "../sql/percentile-query.ts";
import { comparedMeans, type Estimates } from "./estimates.ts";

/** The confidences whose intervals loads store, in percent. */
export const CONFIDENCES = [80, 90, 95, 98, 99] as const;

/** A percentile of the events of a group. */
type GroupPercentile = {
  /** How many units have an event that counts, and how many events these are. */
  units: number;
  events: number;
  value: number;
  /** The standard error of the level. Absent if there is one unit. */
  levelError?: number;
  /** The interval of the value for each confidence, in percent, whose levels lie between the smallest and the largest event. */
  intervals: { confidence: number; lower: number; upper: number }[];
};

/** A percentile of the events of each group that has any, by its id. @param level which, as a share */
export type FoundPercentile = { level: number; groups: Record<string, GroupPercentile> };

/** The groups that have levels. */
export function computeLevels(rows: readonly PercentileRow[], level: number): GroupLevels[] {
  return rows.flatMap((row) => {
    const levels = CONFIDENCES.flatMap((confidence): Level[] => {
      const { value } = percentileLevels(toPairMoments(row), level, { confidence: confidence / 100 });
      return value ? [{ confidence, lower: value.lower, upper: value.upper }] : [];
    });
    return levels.length > 0 ? [{ groupID: row.grp, levels }] : [];
  });
}

function toPairMoments({ units, events, low, low_squares, event_squares, products }: PercentileRow): PairMoments {
  return { n: units, sumY: low, sumX: events, sumSquaresY: low_squares, sumSquaresX: event_squares, sumProducts: products };
}

/** The finding that a load stores. */
export function foundPercentile(
  level: number,
  rows: readonly PercentileRow[],
  levels: readonly GroupLevels[],
  bounds: readonly BoundsRow[],
): FoundPercentile {
  const groups = rows.map((row): [string, GroupPercentile] => {
    const { grp, units, events, value } = row;
    const own = levels.find(({ groupID }) => groupID === grp)?.levels ?? [];
    const found = bounds.find((one) => one.grp === grp);
    const intervals = own.flatMap(({ confidence }, index) => {
      const [lower, upper] = [found?.[`low${index}`], found?.[`high${index}`]];
      return typeof lower === "number" && typeof upper === "number" ? [{ confidence, lower, upper }] : [];
    });
    const levelError = estimateRatio(toPairMoments(row)).value?.standardError;
    return [grp, { units, events, value, ...(levelError !== undefined && { levelError }), intervals }];
  });
  return { level, groups: Object.fromEntries(groups) };
}

/**
 * The percentiles of two groups compared by Student's distribution, with the degrees of freedom of their errors.
 * @param confidence before corrections, 0–1: the errors of the groups are those of the nearest stored interval
 */
export function estimatePercentiles(
  { level, groups }: FoundPercentile,
  { controlID, testID }: { controlID: string; testID: string },
  { isCupedAsked, confidence }: { isCupedAsked: boolean; confidence: number },
): Estimates {
  const pair = [groups[controlID], groups[testID]] as const;
  const [control, test] = pair.map((group) => estimatePercentile(group, level, confidence)) as [Maybe<Estimate>, Maybe<Estimate>];
  const levels = pair.map((group) => ({ units: group?.units ?? 0, levelError: group?.levelError ?? Number.POSITIVE_INFINITY }));
  const compared = comparedMeans({ control, test }, { reason: isCupedAsked ? "of_percentile" : "not_asked" });
  return { ...compared, lack: () => lackOfPercentiles(levels, level) };
}

/**
 * The percentile of a group, with the error that follows from the interval whose confidence is nearest to the one given: its width divided by
 * 2z. Source: Deng, Knoblich, Lu 2018, arXiv 1803.06336, section 4.
 * @param confidence 0–1
 */
function estimatePercentile(group: GroupPercentile | undefined, level: number, confidence: number): Maybe<Estimate> {
  if (!group) return { reason: "no_units" };
  const { units, value, levelError, intervals } = group;
  if (levelError === undefined) return { reason: "one_unit" };
  const [nearest] = intervals.toSorted((a, b) => Math.abs(a.confidence - 100 * confidence) - Math.abs(b.confidence - 100 * confidence));
  if (!nearest) return { reason: "percentile_of_few_events" };
  const found = percentileBetween(value, [nearest.lower, nearest.upper], { confidence: nearest.confidence / 100 });
  if (!found.value) return found;
  const { standardError } = found.value;
  const degreesOfFreedom = percentileDegrees(level, levelError, { confidence: nearest.confidence / 100 });
  return { value: { mean: value, standardError, units, variance: standardError ** 2 * units, degreesOfFreedom } };
}

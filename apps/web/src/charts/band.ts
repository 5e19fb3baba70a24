import { area, line } from "d3-shape";
import type { Scale } from "./axes.ts";

/** A value with its interval. `low` and `high` are absent without one. */
export type BandPoint = { time: number; value: number; low?: number; high?: number };

/** Early intervals are wide: those beyond this many times the distance of the last interval's bounds from 0 are cut off. */
const ROOM = 2;

/** The values that an axis must show: every change, and as much of the intervals as the last one needs, with some room. */
export function shownValues(points: readonly BandPoint[]): number[] {
  const { low, high } = points.findLast((point) => point.low !== undefined) ?? {};
  const values = points.map(({ value }) => value);
  const [lowest, highest] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const room = (ROOM - 1) * (highest - lowest);
  const bounds = points.flatMap((point) => (point.low === undefined || point.high === undefined ? [] : [point.low, point.high]));
  return [...values, ...bounds.map((bound) => Math.min(highest + room, Math.max(lowest - room, bound)))];
}

/** The line of the values and the area of their intervals. */
export function bandPaths(points: readonly BandPoint[], x: Scale, y: Scale): { line: string; area: string } {
  const bounded = points.filter((point): point is Required<BandPoint> => point.low !== undefined && point.high !== undefined);
  const values = line<BandPoint>(
    ({ time }) => x(time),
    ({ value }) => y(value),
  );
  const bounds = area<Required<BandPoint>>(
    ({ time }) => x(time),
    ({ low }) => y(low),
    ({ high }) => y(high),
  );
  return { line: values([...points]) ?? "", area: bounds(bounded) ?? "" };
}

import { line } from "d3-shape";
import type { Scale } from "./axes.ts";
import type { Point, Series } from "./series.ts";

export type DrawnLine = {
  id: string;
  label: string;
  path: string;
  /** The latest point, with its place, px. Null without points. */
  last: (Point & { x: number; y: number }) | null;
  /** The values at the chart's times. Undefined where the series has no point. */
  values: (number | undefined)[];
};

/** Every time at which a series has a point, ascending. */
export const collectTimes = (series: readonly Series[]): number[] =>
  [...new Set(series.flatMap(({ points }) => points.map(({ time }) => time)))].sort((one, other) => one - other);

export const latest = (points: readonly Point[]): Point | undefined =>
  points.reduce<Point | undefined>((last, point) => (last === undefined || point.time >= last.time ? point : last), undefined);

/** A line for each series, through its own points: missing ones are not drawn as zero. */
export function linePaths(series: readonly Series[], times: readonly number[], x: Scale, y: Scale): DrawnLine[] {
  const path = line<Point>(
    ({ time }) => x(time),
    ({ value }) => y(value),
  );
  return series.map(({ id, label, points }) => {
    const sorted = points.toSorted((one, other) => one.time - other.time);
    const values = new Map(sorted.map(({ time, value }) => [time, value]));
    const last = latest(points);
    return {
      id,
      label,
      path: path(sorted) ?? "",
      last: last === undefined ? null : { ...last, x: x(last.time), y: y(last.value) },
      values: times.map((time) => values.get(time)),
    };
  });
}

/** A text of at most `length` characters. */
export const shortened = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, Math.max(1, length - 1))
        .join("")
        .trimEnd()}…`;
};

import { area, line } from "d3-shape";

export type SparklinePaths = { line: string; area: string; end: { x: number; y: number } };

const MARGIN_PX = 3;

/** The paths of values at equal distances, from zero (or the lowest, if negative) to the highest. */
export function sparklinePaths(values: readonly number[], width: number, height: number): SparklinePaths {
  const low = Math.min(0, ...values);
  const high = Math.max(...values, low + Number.MIN_VALUE);
  const inner = { width: width - 2 * MARGIN_PX, height: height - 2 * MARGIN_PX };
  const x = (index: number) => MARGIN_PX + (values.length === 1 ? inner.width : (index / (values.length - 1)) * inner.width);
  const y = (value: number) => MARGIN_PX + inner.height - ((value - low) / (high - low)) * inner.height;
  const base = y(low);
  return {
    line: line<number>((_, index) => x(index), y)(values) ?? "",
    area:
      area<number>(
        (_, index) => x(index),
        () => base,
        y,
      )(values) ?? "",
    end: { x: x(values.length - 1), y: y(values.at(-1) ?? 0) },
  };
}

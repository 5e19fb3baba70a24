import { describe, expect, it } from "vitest";
import { binned } from "./series.ts";
import { stackedBars } from "./stack.ts";

const HOUR = 3_600_000;

function buildBars(counts: Record<string, number[]>, width = 100) {
  const series = Object.entries(counts).map(([id, values]) => ({
    id,
    label: id,
    points: values.map((value, index) => ({ time: index * HOUR, value })),
  }));
  const end = Math.max(...Object.values(counts).map(({ length }) => length)) * HOUR;
  return stackedBars(binned(series, { start: 0, end, interval: "hour", maxBins: 100 }), { width, height: 100, max: 10 });
}

describe("stackedBars", () => {
  it("stacks the layers of an interval without a gap or an overlap, from the largest up", () => {
    const { bars, step } = buildBars({ a: [4, 5], b: [1, 2] });
    expect(step).toBe(50);
    expect(bars).toEqual([
      { layer: 0, bin: 0, x: 1, width: 48, y: 60, height: 40 },
      { layer: 1, bin: 0, x: 1, width: 48, y: 50, height: 10 },
      { layer: 0, bin: 1, x: 51, width: 48, y: 50, height: 50 },
      { layer: 1, bin: 1, x: 51, width: 48, y: 30, height: 20 },
    ]);
  });

  it("draws nothing for a count of zero", () => {
    expect(buildBars({ a: [4, 0, 1] }).bars.map(({ bin }) => bin)).toEqual([0, 2]);
  });

  it("draws a wide interval as a bar in its middle", () => {
    expect(buildBars({ a: [4] }).bars).toMatchObject([{ x: 22, width: 56 }]);
  });

  it("leaves no gap between thin bars", () => {
    expect(buildBars({ a: [4, 1] }, 6).bars.map(({ x, width }) => [x, width])).toEqual([
      [0, 3],
      [3, 3],
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { binName, binned, type Series } from "./series.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const hours = (count: number, maxBins = 100) => ({ start: 0, end: count * HOUR, interval: "hour" as const, maxBins });
const one = (id: string, ...points: [hour: number, value: number][]): Series => ({
  id,
  label: id.toUpperCase(),
  points: points.map(([hour, value]) => ({ time: hour * HOUR, value })),
});

describe("binned", () => {
  it("counts zero where a series has no point", () => {
    const { bins, layers, totals } = binned([one("a", [0, 2], [2, 3])], hours(4));
    expect(bins).toHaveLength(4);
    expect(bins[3]).toEqual({ start: 3 * HOUR, end: 4 * HOUR });
    expect(layers).toEqual([{ id: "a", label: "A", isRest: false, total: 5, values: [2, 0, 3, 0] }]);
    expect(totals).toEqual([2, 0, 3, 0]);
  });

  it("leaves out points before the start and from the end on", () => {
    expect(binned([one("a", [-1, 9], [0, 1], [2, 9])], hours(2)).layers[0]?.values).toEqual([1, 0]);
  });

  it("keeps the order of the series and leaves out those without a count", () => {
    const { layers } = binned([one("a", [0, 1]), one("none", [0, 0]), one("b", [1, 5])], hours(2));
    expect(layers.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("keeps the six largest series in their order and sums the others", () => {
    const series = [2, 8, 7, 6, 5, 1, 4, 3].map((value) => one(`s${value}`, [0, value], [1, 1]));
    const { layers, totals } = binned(series, hours(2));
    expect(layers.map(({ label }) => label)).toEqual(["S8", "S7", "S6", "S5", "S4", "S3", "2 others"]);
    expect(layers[6]).toMatchObject({ isRest: true, values: [3, 2], total: 5 });
    expect(totals).toEqual([36, 8]);
  });

  it("keeps seven series only if six of them are on their own", () => {
    const six = [6, 5, 4, 3, 2, 1].map((value) => one(`s${value}`, [0, value]));
    expect(binned(six, hours(1)).layers.some(({ isRest }) => isRest)).toBe(false);
  });

  it("sums intervals into bins if space is short, without losing a count", () => {
    const { bins, intervalsPerBin, layers } = binned([one("a", [0, 1], [5, 2], [6, 4], [9, 8])], hours(10, 2));
    expect(intervalsPerBin).toBe(6);
    expect(bins).toEqual([
      { start: 0, end: 6 * HOUR },
      { start: 6 * HOUR, end: 10 * HOUR },
    ]);
    expect(layers[0]?.values).toEqual([3, 12]);
  });

  it("takes days of UTC as they come", () => {
    const series: Series = { id: "a", label: "A", points: [{ time: DAY, value: 3 }] };
    const { bins, layers } = binned([series], { start: 0, end: 3 * DAY, interval: "day", maxBins: 100 });
    expect(bins.map(({ start }) => start)).toEqual([0, DAY, 2 * DAY]);
    expect(layers[0]?.values).toEqual([0, 3, 0]);
  });

  it("is empty for an empty time", () => expect(binned([one("a", [0, 1])], hours(0))).toMatchObject({ bins: [], layers: [], totals: [] }));

  it("never makes more bins than asked for while a size allows it", () => {
    for (let count = 1; count <= 402; count += 7) {
      expect(binned([], { start: 0, end: count * DAY, interval: "day", maxBins: 90 }).bins.length).toBeLessThanOrEqual(90);
    }
  });
});

describe("binName", () => {
  it.each([
    ["hour", 1, "hour"],
    ["hour", 6, "6 hours"],
    ["hour", 24, "day"],
    ["hour", 48, "2 days"],
    ["day", 1, "day"],
    ["day", 7, "week"],
    ["day", 14, "2 weeks"],
  ] as const)("names %s × %d %s", (interval, size, name) => expect(binName(interval, size)).toBe(name));
});

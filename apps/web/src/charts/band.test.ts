import { describe, expect, it } from "vitest";
import { bandPaths, shownValues } from "./band.ts";

describe("shownValues", () => {
  it("has every change, and cuts the intervals of early days off", () => {
    const points = [
      { time: 0, value: 40, low: -500, high: 580 },
      { time: 1, value: 12, low: 2, high: 22 },
    ];
    expect(shownValues(points)).toEqual([40, 12, -22, 44, 2, 22]);
  });

  it("is the changes alone where no day has an interval", () => {
    expect(shownValues([{ time: 0, value: 3 }])).toEqual([3]);
  });
});

describe("bandPaths", () => {
  const same = (value: number) => value;

  it("draws an interval only for days that have one", () => {
    const points = [
      { time: 0, value: 1 },
      { time: 1, value: 2, low: 0, high: 4 },
      { time: 2, value: 3, low: 2, high: 4 },
    ];
    expect(bandPaths(points, same, same)).toEqual({ line: "M0,1L1,2L2,3", area: "M1,4L2,4L2,2L1,0Z" });
  });
});

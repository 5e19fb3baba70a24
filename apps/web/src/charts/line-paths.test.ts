import { describe, expect, it } from "vitest";
import { collectTimes, latest, linePaths, shortened } from "./line-paths.ts";

const series = (id: string, ...points: [time: number, value: number][]) => ({
  id,
  label: id,
  points: points.map(([time, value]) => ({ time, value })),
});
const x = (time: number) => time * 10;
const y = (value: number) => 100 - value;

describe("collectTimes", () => {
  it("has each time of all series once, ascending", () => {
    expect(collectTimes([series("a", [2, 0], [1, 0]), series("b", [3, 0], [2, 0])])).toEqual([1, 2, 3]);
  });
});

describe("linePaths", () => {
  it("draws each line through its own points in the order of time", () => {
    const [line] = linePaths([series("a", [2, 30], [1, 10])], [1, 2], x, y);
    expect(line).toEqual({ id: "a", label: "a", path: "M10,90L20,70", last: { time: 2, value: 30, x: 20, y: 70 }, values: [10, 30] });
  });

  it("does not take a missing point for zero", () => {
    const [line] = linePaths([series("a", [1, 10], [3, 30])], [1, 2, 3], x, y);
    expect(line?.path).toBe("M10,90L30,70");
    expect(line?.values).toEqual([10, undefined, 30]);
  });

  it("has nothing to draw for a series without points", () => {
    expect(linePaths([series("a")], [1], x, y)).toEqual([{ id: "a", label: "a", path: "", last: null, values: [undefined] }]);
  });
});

describe("latest", () => {
  it("is the point with the last time, wherever it stands", () => {
    expect(
      latest([
        { time: 2, value: 5 },
        { time: 1, value: 9 },
      ]),
    ).toEqual({ time: 2, value: 5 });
    expect(latest([])).toBeUndefined();
  });
});

describe("shortened", () => {
  it("keeps what fits", () => expect(shortened("Control", 7)).toBe("Control"));
  it("ends a longer text with an ellipsis", () => expect(shortened("The treatment", 5)).toBe("The…"));
  it("does not cut a character in two", () => expect(shortened("👩🏽👩🏽👩🏽", 3)).toBe("👩🏽…"));
});

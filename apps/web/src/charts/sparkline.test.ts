import { describe, expect, it } from "vitest";
import { sparklinePaths } from "./sparkline.ts";

describe("sparklinePaths", () => {
  it("goes from zero at the bottom to the highest value at the top", () => {
    const { line, end } = sparklinePaths([0, 10, 5], 26, 16);
    expect(line).toBe("M3,13L13,3L23,8");
    expect(end).toEqual({ x: 23, y: 8 });
  });

  it("is flat at the bottom if all values are zero", () => expect(sparklinePaths([0, 0], 26, 16).line).toBe("M3,13L23,13"));

  it("begins below zero for negative values", () => expect(sparklinePaths([-5, 5], 26, 16).line).toBe("M3,13L23,3"));

  it("ends at the right with a single value", () => expect(sparklinePaths([4], 26, 16).end).toEqual({ x: 23, y: 3 }));
});

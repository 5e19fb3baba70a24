import { describe, expect, it } from "vitest";
import { drawnTime, isSetByHand, rolloutLine, stepPath } from "./rollout.ts";

const NOW = 1_000_000_000_000;
const DAY = 86_400_000;

describe("rolloutLine", () => {
  it("puts the present between what is done and what is planned", () => {
    const { points } = rolloutLine({
      done: [
        { time: NOW - DAY, passPercent: 10 },
        { time: NOW - 2 * DAY, passPercent: 1 },
      ],
      pending: [
        { time: NOW + 2 * DAY, passPercent: 100 },
        { time: NOW + DAY, passPercent: 50 },
      ],
      passPercentage: 10,
      now: NOW,
    });
    expect(points.map(({ passPercent, state }) => [passPercent, state])).toEqual([
      [1, "done"],
      [10, "done"],
      [10, "now"],
      [50, "planned"],
      [100, "planned"],
    ]);
  });

  it("shows a step that should have been carried out as due, at the present", () => {
    const { points } = rolloutLine({ done: [], pending: [{ time: NOW - DAY, passPercent: 50 }], passPercentage: 5, now: NOW });
    expect(points.map(({ state }) => state)).toEqual(["now", "due"]);
    expect(points.map((point) => drawnTime(point, NOW))).toEqual([NOW, NOW]);
  });

  it("leaves room on both sides of every point, even of a single one", () => {
    const { start, end } = rolloutLine({ done: [], pending: [], passPercentage: 5, now: NOW });
    expect(start).toBeLessThan(NOW);
    expect(end).toBeGreaterThan(NOW);
  });
});

describe("isSetByHand", () => {
  const done = [
    { time: 2, passPercent: 20 },
    { time: 1, passPercent: 10 },
  ];
  it("is true if the percentage is not that of the latest step", () => expect(isSetByHand(done, 10)).toBe(true));
  it("is false if it is", () => expect(isSetByHand(done, 20)).toBe(false));
  it("is false without a step", () => expect(isSetByHand([], 20)).toBe(false));
});

describe("stepPath", () => {
  it("keeps each value until the next point, and the last until the end", () => {
    expect(
      stepPath(
        [
          { x: 0, y: 100 },
          { x: 10.04, y: 50 },
        ],
        30,
      ),
    ).toBe("M0,100H10V50H30");
  });
  it("is empty without points", () => expect(stepPath([], 30)).toBe(""));
});

import { afterEach, describe, expect, it, vi } from "vitest";
import {
  CHARACTER_PX,
  countAxis,
  extent,
  gutterWidth,
  nearest,
  numberedAxis,
  percentAxis,
  spread,
  type Tick,
  timeAxis,
  withRoom,
} from "./axes.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const labels = (ticks: readonly Tick[]) => ticks.map(({ label }) => label);

afterEach(() => void vi.unstubAllEnvs());

describe("countAxis", () => {
  it("ends at a round number above the largest count", () => {
    const { max, scale, ticks } = countAxis(873, 176);
    expect(max).toBe(1_000);
    expect(labels(ticks)).toEqual(["0", "200", "400", "600", "800", "1\u202fk"]);
    expect(scale(0)).toBe(176);
    expect(scale(1_000)).toBe(0);
  });

  it("has no ticks between whole counts", () => {
    expect(labels(countAxis(2, 176).ticks)).toEqual(["0", "1", "2"]);
    expect(labels(countAxis(1, 176).ticks)).toEqual(["0", "1"]);
    expect(labels(countAxis(0, 176).ticks)).toEqual(["0", "1"]);
  });
});

describe("percentAxis", () => {
  it("has fewer ticks on a low chart", () => {
    expect(labels(percentAxis(80).ticks)).toEqual(["0%", "100%"]);
    expect(labels(percentAxis(200).ticks)).toEqual(["0%", "25%", "50%", "75%", "100%"]);
  });
});

describe("timeAxis", () => {
  const start = Date.UTC(2025, 10, 21);

  it("names midnights by their day and other ticks by their time", () => {
    expect(labels(timeAxis(start, start + DAY, 680, { zone: "utc" }).ticks)).toEqual([
      "Nov 21",
      "03:00",
      "06:00",
      "09:00",
      "12:00",
      "15:00",
      "18:00",
      "21:00",
      "Nov 22",
    ]);
  });

  it("names months by month and year", () => {
    expect(labels(timeAxis(Date.UTC(2025, 0, 1), Date.UTC(2025, 11, 31), 600, { zone: "utc" }).ticks).slice(0, 2)).toEqual([
      "Jan 2025",
      "Apr 2025",
    ]);
  });

  it("leaves out a last label that has no room, rather than half of all", () => {
    const { ticks } = timeAxis(start - 4.6 * DAY, start + 5.2 * DAY, 305, { zone: "utc" });
    expect(labels(ticks)).toEqual(["Nov 18", "Nov 20", "Nov 22", "Nov 24"]);
  });

  it("has no ticks within a day of days", () => {
    expect(labels(timeAxis(start - DAY / 2, start + DAY / 2, 600, { zone: "utc", unit: "day" }).ticks)).toEqual(["Nov 21"]);
  });

  it("has ticks at round times of the reader's zone", () => {
    vi.stubEnv("TZ", "Asia/Kolkata");
    const { scale, ticks } = timeAxis(start, start + DAY, 300, { zone: "local" });
    expect(labels(ticks)).toContain("Nov 22");
    expect(ticks.find(({ label }) => label === "Nov 22")?.at).toBe(scale(start + DAY - 5.5 * HOUR));
  });

  it("keeps its labels apart at every width and range", () => {
    for (const width of [120, 200, 320, 500, 900, 1_400]) {
      for (const days of [1 / 24, 0.5, 1, 3, 8, 30, 90, 400]) {
        const { ticks } = timeAxis(start, start + days * DAY, width, { zone: "utc" });
        expect(ticks.length).toBeGreaterThan(0);
        for (const tick of ticks) expect(extent(tick)[0]).toBeGreaterThanOrEqual(0);
        for (const tick of ticks) expect(extent(tick)[1]).toBeLessThanOrEqual(width);
        for (const [index, tick] of ticks.entries()) {
          const next = ticks[index + 1];
          if (next) expect(extent(next)[0]).toBeGreaterThan(extent(tick)[1]);
        }
      }
    }
  });
});

describe("gutterWidth", () => {
  it("has room for the longest label", () => {
    expect(
      gutterWidth([
        { at: 0, label: "0" },
        { at: 1, label: "1.25 k" },
      ]),
    ).toBe(Math.ceil(6 * CHARACTER_PX) + 10);
  });
});

describe("withRoom", () => {
  const label = (at: number, rank: number) => ({ at, label: "10%", rank });

  it("shows every label that is apart", () => expect(withRoom([label(0, 1), label(100, 0)], 4)).toEqual([true, true]));

  it("gives a place to the label with the lowest rank", () => {
    expect(withRoom([label(0, 2), label(10, 0), label(20, 1), label(60, 1)], 4)).toEqual([false, true, false, true]);
  });
});

describe("spread", () => {
  it("leaves positions that are apart where they are", () => expect(spread([0, 30, 60], 16, 100)).toEqual([0, 30, 60]));
  it("keeps the order of close positions", () => expect(spread([50, 48, 52], 10, 100)).toEqual([58, 48, 68]));
  it("moves back up what would leave the end", () => expect(spread([95, 96, 100], 10, 100)).toEqual([80, 90, 100]));
  it("has nothing to do without positions", () => expect(spread([], 10, 100)).toEqual([]));
});

describe("nearest", () => {
  it.each([
    [-5, 0],
    [0, 0],
    [9, 1],
    [16, 2],
    [99, 2],
  ])("finds the position nearest to %d at index %d", (at, index) => expect(nearest([0, 10, 20], at)).toBe(index));
  it("is 0 without positions", () => expect(nearest([], 5)).toBe(0));
});

describe("numberedAxis", () => {
  const dayLabels = (first: number, last: number, width: number) => labels(numberedAxis(first, last, width).ticks);

  it("has whole days from 1 on", () => {
    expect(dayLabels(1, 28, 600)).toEqual(["Day 5", "Day 10", "Day 15", "Day 20", "Day 25"]);
    expect(dayLabels(1, 3, 600)).toEqual(["Day 1", "Day 2", "Day 3"]);
    expect(dayLabels(0, 2, 400)).toEqual(["Day 1", "Day 2"]);
  });

  it("has no labels that touch each other", () => {
    expect(dayLabels(1, 28, 90).length).toBeLessThanOrEqual(1);
  });
});

import { describe, expect, test } from "vitest";
import { checksByRule, toChecksRange } from "./gate-checks.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 20_000 * DAY + 5.5 * HOUR;

describe("toChecksRange", () => {
  test("covers whole intervals, by default the hours of the last 7 days", () => {
    expect(toChecksRange({}, NOW)).toEqual({ start: NOW - 7 * DAY - HOUR / 2, end: NOW + HOUR / 2, interval: "hour", length: HOUR });
    const days = { start: 19_000 * DAY + 1, end: 19_001 * DAY, interval: "day" as const };
    expect(toChecksRange(days, NOW)).toEqual({ ...days, start: 19_000 * DAY, length: DAY });
    expect(toChecksRange({ end: DAY }, NOW)).toMatchObject({ start: 0, end: DAY });
    expect(toChecksRange({ start: NOW, end: NOW }, NOW)).toMatchObject({ start: NOW - HOUR / 2, end: NOW + HOUR / 2 });
  });

  test("is neither reversed nor longer than its intervals allow", () => {
    const refused = (query: Parameters<typeof toChecksRange>[0]) => {
      try {
        return toChecksRange(query, NOW);
      } catch (error) {
        return (error as { violations: unknown }).violations;
      }
    };
    expect(refused({ start: 2, end: 1 })).toEqual([{ property: "start", errorMessage: "must not be later than end" }]);
    const message = (days: number, interval: string) => `must be at most ${days} days before end for intervals of one ${interval}`;
    expect(refused({ start: NOW - 8 * DAY - 1 })).toEqual([{ property: "start", errorMessage: message(8, "hour") }]);
    expect(refused({ start: NOW - 400 * DAY - 1, interval: "day" })).toEqual([{ property: "start", errorMessage: message(400, "day") }]);
    expect(refused({ start: NOW - 8 * DAY })).toMatchObject({ interval: "hour" });
    expect(refused({ start: NOW - 400 * DAY, interval: "day" })).toMatchObject({ interval: "day" });
  });
});

test("checksByRule adds up points, names rules of the gate, and puts the rule with the most checks first", () => {
  const rules = [{ id: "r", baseID: "r", name: "Staff", passPercentage: 50, conditions: [], environments: null }];
  const range = { start: 0, end: 2 * HOUR, interval: "hour" as const, length: HOUR };
  const checks = [
    { ruleID: "default", time: 0, passes: 0, fails: 4 },
    { ruleID: "r", time: 0, passes: 1, fails: 2 },
    { ruleID: "r", time: HOUR, passes: 3, fails: 0 },
  ];
  const [, ...ofRule] = checks.map(({ ruleID: _, ...point }) => point);
  expect(checksByRule({ rules }, range, checks)).toEqual({
    start: 0,
    end: 2 * HOUR,
    interval: "hour",
    rules: [
      { ruleID: "r", ruleName: "Staff", passes: 4, fails: 2, points: ofRule },
      { ruleID: "default", ruleName: null, passes: 0, fails: 4, points: [{ time: 0, passes: 0, fails: 4 }] },
    ],
  });
});

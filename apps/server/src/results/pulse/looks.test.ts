import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import { UTC } from "../../common/time-zone.ts";
import { type Asked, type AskedMetric, computePulse } from "./pulse.ts";
import { type DailySums, NOTHING, type Sums, sumsAsOf } from "./sums.ts";

// Verdicts of sequential experiments, with a look every day, even after the planned end.

const DAY_MS = 86_400_000;
const PLANNED_DAYS = 14;

/** A day's additional units, with a mean and a variance of 1 and symmetric values. */
const daySums = (day: number, groupID: string, mean: number, n = 100): DailySums => {
  const spread = n - 1;
  return { day, groupID, sums: { ...NOTHING, n, y: n * mean, yy: spread + n * mean ** 2, yyy: 3 * mean * spread + n * mean ** 3 } as Sums };
};

const ASKED: Asked = {
  ...{ controlID: "control", testID: "test", testIDs: ["test"], isCupedAsked: false, alpha: 0.05 },
  corrections: {
    ...{ bonferroniPerVariant: false, bonferroniPerMetric: false, primaryWeight: 0.5 },
    ...{
      holmPerVariant: false,
      holmPerMetric: false,
      benjaminiHochbergPerVariant: false,
      benjaminiHochbergPerMetric: false,
      primaryOnly: false,
    },
  },
  ...{ plannedEnd: PLANNED_DAYS * DAY_MS, chanceToBeatThreshold: undefined, day: undefined, timeZone: UTC, hasSeries: false },
};

function buildMetric(id: string, daily: DailySums[], days: number, hasDays = true): AskedMetric {
  const known = daily.filter(({ day }) => day <= days);
  const latest = { groups: sumsAsOf(known), isRatio: false };
  const times = { startTime: 0, endTime: days * DAY_MS, timeZone: UTC, loadedTime: days * DAY_MS };
  return {
    ...{ metricID: id, role: "primary", prior: undefined, metric: { name: id, directionality: "increase", type: "sum" } },
    moments: { metricID: id, ...times, version: 1, latest, daily: hasDays ? known : null },
  };
}

const look = (daily: DailySums[], days: number, asked: Partial<Asked> = {}, hasDays = true) =>
  computePulse([buildMetric("m", daily, days, hasDays)], { ...ASKED, ...asked })[0] as Schema<"PulseMetric">;

/** A difference that only the test with a fixed horizon calls, from the first day to the 20th, and a large one after that. */
const DAILY = Array.from({ length: 28 }, (_, index) => [
  daySums(index + 1, "control", 10),
  daySums(index + 1, "test", index < 20 ? 10.09 : 8),
]).flat();

describe("the verdict of a sequential experiment", () => {
  test("is that of the sequential test before the planned end, and has its interval", () => {
    const { verdict, isSignificant, sequentialPercentInterval = [], pValue = 1 } = look(DAILY, 10);
    expect([verdict?.test, isSignificant, pValue < 0.05]).toEqual(["sequential", false, true]);
    expect(verdict?.pValue).toBeGreaterThan(0.05);
    expect(sequentialPercentInterval[0]).toBeLessThan(0);
  });

  test("stays the verdict of the planned end after that, however the numbers change", () => {
    const atEnd = look(DAILY, PLANNED_DAYS);
    expect(atEnd.verdict).toMatchObject({ test: "plannedEnd", date: "1970-01-14", pValue: atEnd.pValue });
    const later = look(DAILY, 28);
    expect(later).toMatchObject({ isSignificant: true, verdict: atEnd.verdict });
    expect(later.absoluteChange).toBeLessThan(0);
    expect(later.verdict?.absoluteChange).toBeCloseTo(0.09, 10);
    // As of a day before the end, it is the verdict of that day.
    expect(look(DAILY, 28, { day: 9 * DAY_MS }).verdict?.test).toBe("sequential");
    expect(look(DAILY, 28, { day: 20 * DAY_MS }).verdict).toEqual(atEnd.verdict);
  });

  test("stays that of the sequential test where the days are unknown", () => {
    expect(look(DAILY, 28, {}, false).verdict?.test).toBe("sequential");
  });

  test("by Benjamini–Hochberg has an α from the p-values that decide", () => {
    // Four metrics; at a fixed horizon all are significant, in the sequential test only the first.
    const metrics = [0.5, 0.09, 0.09, 0.09].map((lift, index) =>
      buildMetric(
        `m${index}`,
        Array.from({ length: 10 }, (_, day) => [daySums(day + 1, "control", 10), daySums(day + 1, "test", 10 + lift)]).flat(),
        10,
      ),
    );
    const corrections = { ...ASKED.corrections, benjaminiHochbergPerMetric: true };
    const results = computePulse(metrics, { ...ASKED, corrections });
    expect(results.map(({ pValue = 1 }) => pValue < 0.05)).toEqual([true, true, true, true]);
    expect(results.map(({ alpha }) => alpha)).toEqual(Array(4).fill(expect.closeTo(0.05 / 4, 12)));
    expect(results.map(({ isSignificant }) => isSignificant)).toEqual([true, false, false, false]);
  });

  test("is wrong in at most 1.15 α of A/A tests with a look on each of 28 days, 14 of them planned", () => {
    let state = 7;
    const uniform = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const [runs, alpha] = [300, 0.1];
    let wrong = 0;
    for (let run = 0; run < runs; run++) {
      const daily = Array.from({ length: 28 }, (_, index) => [
        daySums(index + 1, "control", 10 + normal() / 10),
        daySums(index + 1, "test", 10 + normal() / Math.sqrt(20), 20),
      ]).flat();
      if (Array.from({ length: 28 }, (_, index) => look(daily, index + 1, { alpha })).some(({ isSignificant }) => isSignificant)) wrong++;
    }
    const most = 1.15 * alpha * runs;
    expect(wrong).toBeLessThan(most + 3 * Math.sqrt(most));
    expect(wrong).toBeGreaterThan(0);
  });
});

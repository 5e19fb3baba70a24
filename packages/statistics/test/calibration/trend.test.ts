import { test } from "vitest";
import { compareMeans, type DailyEstimates, estimateMoments, lackOfTrends, type PairMoments, trendWeights } from "../../src/index.ts";
import { type Cell, countFalsePositives, expectCalibrated, readRuns } from "./false-positives.ts";
import type { Population } from "./populations.ts";
import { type Random, seededRandom } from "./random.ts";
import { groupsOf } from "./samples.ts";

// Trends of units whose days are correlated are called different at most 1.15·α times, wherever a verdict is shown.

const { RUNS, IS_LONG, BLOCKS } = readRuns(500);
const check = expectCalibrated("Trends of correlated days", IS_LONG);
const random = seededRandom(40);
const SIZES = IS_LONG ? [100, 1_000, 10_000] : [100, 1_000];
/** The share of the test group, in percent. */
const SPLITS = [50, 10, 1] as const;

/** How the days of a unit are drawn. */
type Days = { name: string; days: number; draw(random: Random): (day: number) => number };

const DAYS: readonly Days[] = [
  {
    name: "autoregressive days around a level of each unit",
    days: 14,
    draw(one) {
      const level = 10 + 2 * one.normal();
      let state = one.normal();
      return () => {
        state = 0.8 * state + 0.6 * one.normal();
        return level + state;
      };
    },
  },
  {
    name: "visits that become fewer, of units that differ",
    days: 7,
    draw(one) {
      const rate = one.gamma(0.5);
      return (day) => Math.round(one.gamma(1 + 3 * rate) * 0.8 ** day);
    },
  },
  {
    name: "purchases of 5 % of the units",
    days: 14,
    draw(one) {
      const isBuyer = one.uniform() < 0.05;
      return () => (isBuyer && one.uniform() < 0.3 ? 20 * Math.exp(one.normal()) : 0);
    },
  },
  { name: "conversions of 0.5 % a day", days: 7, draw: (one) => () => (one.uniform() < 0.005 ? 1 : 0) },
  {
    name: "skewed amounts of the first day",
    days: 7,
    draw: (one) => (day) => (day === 0 ? Math.exp(1.5 * one.normal()) : 0),
  },
];

/** A unit's trend, and its mean of a day. */
function toPopulation({ name, days, draw }: Days): Population {
  const weights = trendWeights(days);
  return {
    name,
    draw(one) {
      const next = draw(one);
      let [trend, level] = [0, 0];
      for (const [day, weight] of weights.entries()) {
        const value = next(day);
        trend += weight * value;
        level += value / days;
      }
      return [trend, level];
    },
  };
}

function toEstimates({ n, sumY, sumX, sumSquaresY, sumSquaresX, cubes = [0, 0, 0, 0] }: PairMoments): DailyEstimates | undefined {
  const trend = estimateMoments({ n, sum: sumY, sumSquares: sumSquaresY, sumCubes: cubes[0] }).value;
  const level = estimateMoments({ n, sum: sumX, sumSquares: sumSquaresX, sumCubes: cubes[3] }).value;
  return trend && level && { trend, level };
}

test.each(DAYS)("trends are called different at most as often as α says: $name", (days) => {
  const draw = groupsOf(toPopulation(days), random, BLOCKS);
  const cells = SIZES.flatMap((units) =>
    SPLITS.map((percent): Cell => {
      const testUnits = Math.round((units * percent) / 100);
      return countFalsePositives(`${days.name}, ${units} units, ${100 - percent}/${percent}`, RUNS, () => {
        const [control, treated] = [toEstimates(draw(units - testUnits)), toEstimates(draw(testUnits))];
        const compared = control && treated && compareMeans(control.trend, treated.trend).value;
        return compared && { isCalled: (alpha) => compared.p <= alpha, lack: (alpha) => lackOfTrends(control, treated, { alpha }) };
      });
    }),
  );
  check(cells);
});

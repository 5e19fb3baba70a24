import { test } from "vitest";
import {
  type Comparison,
  compareMeans,
  compareProportions,
  type Estimate,
  estimateMoments,
  type Lack,
  lackOfMeans,
  lackOfProportions,
  type Maybe,
  normalCdf,
} from "../../src/index.ts";
import { type Cell, countFalsePositives, expectCalibrated, readRuns } from "./false-positives.ts";
import { MEANS } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { drawSuccesses, groupsOf } from "./samples.ts";

// One-sided tests, and tests of non-inferiority of groups that differ by exactly the margin: at most 1.15·α wrong verdicts in each direction.

const { RUNS, IS_LONG, BLOCKS } = readRuns(400);
const check = expectCalibrated("One-sided tests and tests of non-inferiority", IS_LONG);
const SIZES = IS_LONG ? [50, 200, 1_000, 10_000, 100_000] : [50, 1_000, 10_000];
const SPLITS = [50, 10, 90] as const;
const MARGIN = 0.1;
const random = seededRandom(32);

type Drawn = { compared: Maybe<Comparison>; lack(alpha: number): Lack | undefined };

/** @param draw groups whose true ratio is the given one */
function calibrate(name: string, draw: (controlUnits: number, testUnits: number, ratio: number) => Drawn | undefined): void {
  const found: Cell[] = [];
  for (const percent of SPLITS)
    for (const units of SIZES)
      for (const [question, lift, sign] of [
        ["more", 0, 1],
        ["less", 0, -1],
        ["not inferior", -MARGIN, 1],
        ["not inferior, less is better", MARGIN, -1],
      ] as const) {
        const testUnits = Math.round((units * percent) / 100);
        const cell = `${name}, ${question}, ${units} units, ${100 - percent}/${percent}`;
        found.push(
          countFalsePositives(cell, RUNS, () => {
            const drawn = draw(units - testUnits, testUnits, 1 + lift);
            const compared = lift === 0 ? drawn?.compared.value : drawn?.compared.value?.against(lift).value;
            if (!drawn || !compared) return undefined;
            return { lack: drawn.lack, isCalled: (alpha) => normalCdf(-sign * compared.deviate) <= alpha };
          }),
        );
      }
  check(found);
}

test.each(MEANS)("means are called in each direction as often as α says: $name", (population) => {
  const draw = groupsOf(population, random, BLOCKS);
  const estimate = (units: number, factor: number): Estimate | undefined => {
    const { n, sumY, sumSquaresY, cubes } = draw(units);
    const moments = { n, sum: factor * sumY, sumSquares: factor ** 2 * sumSquaresY, sumCubes: factor ** 3 * (cubes?.[0] ?? 0) };
    return estimateMoments(moments).value;
  };
  calibrate(population.name, (controlUnits, testUnits, ratio) => {
    const [control, treated] = [estimate(controlUnits, 1), estimate(testUnits, ratio)];
    if (!control || !treated) return undefined;
    return { compared: compareMeans(control, treated), lack: (alpha) => lackOfMeans(control, treated, { alpha, isOneSided: true }) };
  });
});

test.each([0.3, 0.05, 0.01])("proportions of %s are called in each direction at most as often as α says", (probability) => {
  calibrate(`conversion of ${100 * probability} %`, (controlUnits, testUnits, ratio) => {
    const control = { units: controlUnits, successes: drawSuccesses(random, controlUnits, probability) };
    const treated = { units: testUnits, successes: drawSuccesses(random, testUnits, probability * ratio) };
    return { compared: compareProportions(control, treated), lack: () => lackOfProportions(control, treated) };
  });
});

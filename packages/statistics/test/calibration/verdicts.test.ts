import { afterAll, expect, test } from "vitest";
import {
  adjustMeans,
  compareMeans,
  compareProportions,
  type Estimate,
  estimateMoments,
  estimateRatio,
  lackOfMeans,
  lackOfPercentiles,
  lackOfProportions,
  type PairMoments,
  stratifiedMeans,
} from "../../src/index.ts";
import { type AATest, ALPHAS, type Cell, cellsAbove, countFalsePositives, toTable } from "./false-positives.ts";
import { drawPercentile } from "./percentiles.ts";
import { ADJUSTED, CONVERSIONS, MEANS, type Population, RATIOS } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { drawSuccesses, groupsOf } from "./samples.ts";

// Two groups without a difference are called different at most 1.15·α times, wherever a verdict is shown. `CALIBRATION_RUNS=20000` is the
// suite of the night.

const RUNS = Number(process.env.CALIBRATION_RUNS ?? 500);
const IS_LONG = RUNS >= 20_000;
const BLOCKS = IS_LONG ? 20_000 : 2_000;
const SIZES = IS_LONG ? [50, 200, 1_000, 10_000, 100_000] : [50, 1_000, 10_000];
const SPLITS = [50, 10, 1] as const;
const random = seededRandom(31);
const cells: Cell[] = [];

afterAll(() => {
  if (IS_LONG) console.log(`${RUNS} A/A tests in each cell, false positives relative to α\n${toTable(cells)}`);
});

type Draw = (controlUnits: number, testUnits: number) => AATest | undefined;

/** Counts for each split and size that has two units in each group. */
function calibrate(name: string, draw: Draw): void {
  const found: Cell[] = [];
  for (const percent of SPLITS) {
    for (const units of SIZES) {
      const testUnits = Math.round((units * percent) / 100);
      if (testUnits < 2) continue;
      const cell = `${name}, ${units} units, ${100 - percent}/${percent}`;
      found.push(countFalsePositives(cell, RUNS, () => draw(units - testUnits, testUnits)));
    }
  }
  cells.push(...found);
  expect(cellsAbove(found)).toEqual([]);
}

function testMeans(control: Estimate | undefined, treated: Estimate | undefined): AATest | undefined {
  const { value } = (control && treated && compareMeans(control, treated)) ?? {};
  return (
    value && control && treated && { isCalled: (alpha) => value.p <= alpha, lack: (alpha) => lackOfMeans(control, treated, { alpha }) }
  );
}

function calibrateMeans(population: Population, estimate: (groups: [PairMoments, PairMoments]) => readonly (Estimate | undefined)[]): void {
  const draw = groupsOf(population, random, BLOCKS);
  calibrate(population.name, (controlUnits, testUnits) => {
    const [control, treated] = estimate([draw(controlUnits), draw(testUnits)]);
    return testMeans(control, treated);
  });
}

test.each(MEANS)("means are called as often as α says: $name", (population) => {
  calibrateMeans(population, (groups) =>
    groups.map(
      ({ n, sumY, sumSquaresY, cubes }) => estimateMoments({ n, sum: sumY, sumSquares: sumSquaresY, sumCubes: cubes?.[0] ?? 0 }).value,
    ),
  );
});

test.each(RATIOS)("ratios are called as often as α says: $name", (population) => {
  calibrateMeans(population, (groups) => groups.map((group) => estimateRatio(group).value));
});

test.each(ADJUSTED)("adjusted means are called as often as α says: $name", (population) => {
  calibrateMeans(population, (groups) => adjustMeans(groups, groups[0].n + groups[1].n).adjustment?.groups ?? []);
});

/** The shares of strata, and how far their means are from each other, in units of the population's. */
const STRATA = [
  { share: 0.6, shift: 0 },
  { share: 0.3, shift: 3 },
  { share: 0.1, shift: -2 },
] as const;
/** Strata with fewer units in a group are merged. */
const LEAST_OF_STRATUM = 10;

test.each(MEANS)("means over strata are called as often as α says: $name", (population) => {
  const draw = groupsOf(population, random, BLOCKS);
  const drawStratum = (units: number, shift: number) => {
    const { n, sumY, sumSquaresY, cubes } = draw(units);
    const { value } = estimateMoments({ n, sum: sumY, sumSquares: sumSquaresY, sumCubes: cubes?.[0] ?? 0 });
    return value && { ...value, mean: value.mean + shift };
  };
  calibrate(`${population.name}, three strata`, (controlUnits, testUnits) => {
    const strata = STRATA.flatMap(({ share, shift }) => {
      const sizes = [controlUnits, testUnits].map((units) => Math.round(share * units));
      if (sizes.some((size) => size < LEAST_OF_STRATUM)) return [];
      const [control, treated] = sizes.map((size) => drawStratum(size, shift));
      return control && treated ? [{ control, test: treated }] : [];
    });
    const { value } = stratifiedMeans(strata.length > 1 ? strata : []);
    return testMeans(value?.control, value?.test);
  });
});

test.each(CONVERSIONS)("proportions of %s are called at most as often as α says", (probability) => {
  calibrate(`conversion of ${100 * probability} %`, (controlUnits, testUnits) => {
    const control = { units: controlUnits, successes: drawSuccesses(random, controlUnits, probability) };
    const treated = { units: testUnits, successes: drawSuccesses(random, testUnits, probability) };
    const { value } = compareProportions(control, treated);
    return value && { isCalled: (alpha) => value.p <= alpha, lack: () => lackOfProportions(control, treated) };
  });
});

test.each([0.5, 0.9, 0.99])("percentiles at %s are called at most as often as α says", (level) => {
  calibrate(`percentile ${level}`, (controlUnits, testUnits) => {
    const [control, treated] = [drawPercentile(random, level, controlUnits), drawPercentile(random, level, testUnits)];
    const compared = new Map(
      ALPHAS.map((alpha) => {
        const [c, t] = [control(1 - alpha), treated(1 - alpha)];
        return [alpha as number, c && t && compareMeans(c, t).value?.p];
      }),
    );
    return {
      lack: (alpha) =>
        compared.get(alpha) === undefined
          ? { reason: "notEnoughUnits" }
          : lackOfPercentiles(
              [controlUnits, testUnits].map((units) => ({ units, levelError: Math.sqrt((level * (1 - level)) / (units - 1)) })),
              level,
            ),
      isCalled: (alpha) => (compared.get(alpha) ?? 1) <= alpha,
    };
  });
});

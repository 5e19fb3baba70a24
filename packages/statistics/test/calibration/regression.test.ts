import { expect, test } from "vitest";
import { adjustByRegression, type CrossMoments, compareMeans, lackOfMeans, type Triple, triplesOf } from "../../src/index.ts";
import { type Cell, cellsAbove, countFalsePositives } from "./false-positives.ts";
import { type Random, seededRandom } from "./random.ts";

// Means adjusted by three covariates are called different at most 1.15·α times, wherever a verdict is shown.

const RUNS = Number(process.env.CALIBRATION_RUNS ?? 500);
const random = seededRandom(34);
const SIZES = [110, 400] as const;
const SPLITS = [50, 20] as const;
const COVARIATES = 3;

type Population = { name: string; covariate(random: Random): number; noise(random: Random): number };

const POPULATIONS: readonly Population[] = [
  { name: "normal", covariate: (one) => 5 + one.normal(), noise: (one) => one.normal() },
  {
    name: "skewed, with half of the units new",
    covariate: (one) => (one.uniform() < 0.5 ? Math.exp(one.normal()) : 0),
    noise: (one) => Math.exp(one.normal()),
  },
];

const SIZE = COVARIATES + 1;

const TRIPLES = triplesOf(SIZE);

/** The moments of a group. */
function drawGroup({ covariate, noise }: Population, n: number): CrossMoments {
  const unit = new Float64Array(SIZE);
  const sums = new Float64Array(SIZE);
  const products = new Float64Array(SIZE * SIZE);
  const cubes = new Float64Array(TRIPLES.length);
  const at = (values: Float64Array, index: number) => values[index] as number;
  for (let drawn = 0; drawn < n; drawn++) {
    let y = noise(random);
    for (let index = 1; index < SIZE; index++) {
      unit[index] = covariate(random);
      y += at(unit, index);
    }
    // A product of covariates, so that the regression is not the true model.
    unit[0] = y + 0.2 * at(unit, 1) * at(unit, 2);
    for (let i = 0; i < SIZE; i++) {
      sums[i] = at(sums, i) + at(unit, i);
      for (let j = 0; j < SIZE; j++) products[i * SIZE + j] = at(products, i * SIZE + j) + at(unit, i) * at(unit, j);
    }
    for (let index = 0; index < TRIPLES.length; index++) {
      const [i, j, l] = TRIPLES[index] as Triple;
      cubes[index] = at(cubes, index) + at(unit, i) * at(unit, j) * at(unit, l);
    }
  }
  const rows = Array.from({ length: SIZE }, (_, row) => [...products.subarray(row * SIZE, (row + 1) * SIZE)]);
  return { n, sums: [...sums], products: rows, cubes: [...cubes] };
}

test.each(POPULATIONS)("means adjusted by covariates are called as often as α says: $name", (population) => {
  const cells = SIZES.flatMap((units) =>
    SPLITS.map((percent): Cell => {
      const testUnits = Math.round((units * percent) / 100);
      return countFalsePositives(`${population.name}, ${units} units, ${100 - percent}/${percent}`, RUNS, () => {
        const [control, treated] = [drawGroup(population, units - testUnits), drawGroup(population, testUnits)];
        const { groups } = adjustByRegression(control, treated);
        if (!groups) return undefined;
        const [c, t] = groups;
        const { value } = compareMeans(c, t);
        return value && { isCalled: (alpha) => value.p <= alpha, lack: (alpha) => lackOfMeans(c, t, { alpha }) };
      });
    }),
  );
  expect(cellsAbove(cells)).toEqual([]);
});

import { test } from "vitest";
import { adjustByRegression, type CrossMoments, compareMeans, lackOfMeans } from "../../src/index.ts";
import { type Cell, countFalsePositives, expectCalibrated, readRuns } from "./false-positives.ts";
import { type Random, seededRandom } from "./random.ts";
import { drawCrossMoments } from "./samples.ts";

// Means adjusted by three covariates are called different at most 1.15·α times, wherever a verdict is shown.

const { RUNS, IS_LONG } = readRuns(500);
const check = expectCalibrated("Means adjusted by covariates", IS_LONG);
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

/** The moments of a group. */
const drawGroup = ({ covariate, noise }: Population, units: number): CrossMoments =>
  drawCrossMoments(units, SIZE, (unit) => {
    const before = Array.from({ length: COVARIATES }, () => covariate(random));
    unit.set(before, 1);
    // A product of covariates, so that the regression is not the true model.
    unit[0] = before.reduce((sum, value) => sum + value, noise(random)) + 0.2 * (before[0] ?? 0) * (before[1] ?? 0);
  });

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
  check(cells);
});

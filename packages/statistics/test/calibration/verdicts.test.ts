import { test } from "vitest";
import { thirdOfSum } from "../../src/cross-moments.ts";
import {
  adjustMeans,
  adjustRatios,
  type CrossMoments,
  compareMeans,
  compareProportions,
  type Estimate,
  lackOfMeans,
  lackOfProportions,
  type Proportion,
  stratifiedMeans,
} from "../../src/index.ts";
import { type AATest, ALPHAS, type Cell, countFalsePositives, expectCalibrated, readRuns } from "./false-positives.ts";
import { drawPercentile, lackOfDrawn } from "./percentiles.ts";
import { CONVERSIONS, MEANS, REPEATED_CONVERSION } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { drawCrossMoments, drawSuccesses, ESTIMATED, estimateMean, groupsOf } from "./samples.ts";

// Two groups without a difference are called different at most 1.15·α times, wherever a verdict is shown. `CALIBRATION_RUNS=20000` is the
// suite of the night.

const { RUNS, IS_LONG, BLOCKS } = readRuns(500);
const check = expectCalibrated("Tests at one look", IS_LONG);
const SIZES = IS_LONG ? [50, 200, 1_000, 3_000, 10_000, 100_000] : [50, 1_000, 10_000];
const SPLITS = [50, 10, 1] as const;
const random = seededRandom(31);

type Draw = (controlUnits: number, testUnits: number) => AATest | undefined;

/** Counts for each split and size that has two units in each group. */
function calibrate(name: string, draw: Draw, sizes: readonly number[] = SIZES): void {
  const found: Cell[] = [];
  for (const percent of SPLITS) {
    for (const units of sizes) {
      const testUnits = Math.round((units * percent) / 100);
      if (testUnits < 2) continue;
      const cell = `${name}, ${units} units, ${100 - percent}/${percent}`;
      found.push(countFalsePositives(cell, RUNS, () => draw(units - testUnits, testUnits)));
    }
  }
  check(found);
}

function testMeans(control: Estimate | undefined, treated: Estimate | undefined): AATest | undefined {
  const { value } = (control && treated && compareMeans(control, treated)) ?? {};
  return (
    value && control && treated && { isCalled: (alpha) => value.p <= alpha, lack: (alpha) => lackOfMeans(control, treated, { alpha }) }
  );
}

function testProportions(control: Proportion, treated: Proportion): AATest | undefined {
  const { value } = compareProportions(control, treated);
  return value && { isCalled: (alpha) => value.p <= alpha, lack: () => lackOfProportions(control, treated) };
}

test.each(ESTIMATED)("means and ratios are called as often as α says: $name", ({ name, population, estimate }) => {
  const draw = groupsOf(population, random, BLOCKS);
  calibrate(name, (controlUnits, testUnits) => {
    const [control, treated] = estimate(draw(controlUnits), draw(testUnits));
    return testMeans(control, treated);
  });
});

// Groups that lack data for either test have the test of proportions.
test("proportions with CUPED are called at most as often as α says", () => {
  const draw = groupsOf(REPEATED_CONVERSION, random, BLOCKS);
  calibrate(REPEATED_CONVERSION.name, (controlUnits, testUnits) => {
    const groups = [draw(controlUnits), draw(testUnits)] as const;
    const { adjustment } = adjustMeans(groups, controlUnits + testUnits);
    const adjusted = testMeans(adjustment?.groups[0], adjustment?.groups[1]);
    const [control, treated] = groups.map(({ n, sumY }) => ({ units: n, successes: sumY })) as [Proportion, Proportion];
    const plain = testProportions(control, treated);
    const chosen = (alpha: number) => (!adjusted || adjusted.lack(alpha) || plain?.lack(alpha) ? plain : adjusted);
    return plain && { isCalled: (alpha) => chosen(alpha)?.isCalled(alpha) ?? false, lack: (alpha) => chosen(alpha)?.lack(alpha) };
  });
});

/** Numerator and denominator of a unit, and both before its exposure. */
function drawVisits(unit: Float64Array): void {
  const level = random.normal();
  for (const at of [0, 2]) {
    const visits = 1 + random.below(5);
    unit[at] = visits * (5 + level) + Math.sqrt(visits) * random.normal();
    unit[at + 1] = visits;
  }
}

test("ratios with CUPED are called as often as α says", () => {
  const group = (units: number) => drawCrossMoments(units, 4, drawVisits);
  calibrate(
    "CUPED, ratio",
    (controlUnits, testUnits) => {
      const groups = [group(controlUnits), group(testUnits)] as const;
      const { adjustment } = adjustRatios(...groups, controlUnits + testUnits);
      const [control, treated] = groups.map((moments, index) => {
        const adjusted = adjustment?.groups[index];
        return adjusted && { ...adjusted, thirdMoment: thirdOfRatio(moments) };
      });
      return testMeans(control, treated);
    },
    IS_LONG ? [200, 1_000, 3_000] : [200],
  );
});

/** The third moment of the ratio as it is, which is taken for that of the adjusted one. */
function thirdOfRatio(moments: CrossMoments): number | undefined {
  const [y = 0, d = 0] = moments.sums;
  const mean = d / moments.n;
  return thirdOfSum(moments, [1 / mean, -y / d / mean, 0, 0]);
}

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
    const value = estimateMean(draw(units));
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
    return testProportions(control, treated);
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
      lack: (alpha) => (compared.get(alpha) === undefined ? { reason: "notEnoughUnits" } : lackOfDrawn(level, [controlUnits, testUnits])),
      isCalled: (alpha) => (compared.get(alpha) ?? 1) <= alpha,
    };
  });
});

import { test } from "vitest";
import {
  addPairMoments,
  type Comparison,
  compareMeans,
  compareProportions,
  type Estimate,
  type Lack,
  lackOfMeans,
  lackOfProportions,
  type PairMoments,
  sequenceReach,
  sequentialThreshold,
} from "../../src/index.ts";
import { ALPHAS, countEach, expectCalibrated, readRuns } from "./false-positives.ts";
import { growingPercentile, lackOfDrawn } from "./percentiles.ts";
import { CONVERSIONS } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { drawSuccesses, ESTIMATED, groupsOf } from "./samples.ts";

// Two groups without a difference that are looked at every day are ever called different at most 1.15·α times.

const { RUNS, IS_LONG, BLOCKS } = readRuns(100);
const LOOKS = 28;
const check = expectCalibrated(`Tests at ${LOOKS} looks`, IS_LONG);
const UNITS_PER_LOOK = IS_LONG ? [100, 1_000] : [200];
const SPLITS = [50, 10, 1] as const;
/** No sequential test calls a smaller difference, in standard errors. */
const LEAST_THRESHOLD = 2.5;
const random = seededRandom(33);

type Group = Pick<Estimate, "units" | "variance">;
/** What a look compares at an α, and the data missing for a verdict. */
type Look = { at(alpha: number): { compared: Comparison; control: Group; test: Group } | undefined; lack(alpha: number): Lack | undefined };
/** Draws the looks of an experiment. Each adds units. */
type DrawLooks = (controlUnits: number, testUnits: number) => () => Look;

/** The least deviate, in standard errors, that a test calls a difference. */
type Threshold = (control: Group, test: Group, alpha: number) => number;
const TESTS: Record<string, Threshold> = {
  "sequential test": (control, test, alpha) => sequentialThreshold(control, test, { alpha }),
  guardrail: (control, test, alpha) => sequenceReach(control.units + test.units, { alpha }),
};

function calibrate(name: string, draw: DrawLooks, unitsPerLook: readonly number[] = UNITS_PER_LOOK): void {
  const tests = Object.entries(TESTS);
  const cells = SPLITS.flatMap((percent) =>
    unitsPerLook.flatMap((units) => {
      const testUnits = (units * percent) / 100;
      const sizes = `${name}, ${LOOKS} × ${units} units, ${100 - percent}/${percent}`;
      return countEach(
        tests.map(([method]) => `${method}, ${sizes}`),
        RUNS,
        () => {
          const looks = Array.from({ length: LOOKS }, draw(units - testUnits, testUnits));
          return tests.map(([, threshold]) => everCalled(looks, threshold));
        },
      );
    }),
  );
  check(cells);
}

function everCalled(looks: readonly Look[], threshold: Threshold) {
  const verdicts = new Map(
    ALPHAS.map((alpha) => [
      alpha as number,
      looks.flatMap((look) => {
        const found = look.at(alpha);
        if (!found || look.lack(alpha)) return [];
        const size = Math.abs(found.compared.deviate);
        return size >= LEAST_THRESHOLD && size >= threshold(found.control, found.test, alpha);
      }),
    ]),
  );
  return {
    lack: (alpha: number): Lack | undefined => (verdicts.get(alpha)?.length ? undefined : { reason: "tooSkewed" }),
    isCalled: (alpha: number) => verdicts.get(alpha)?.includes(true) ?? false,
  };
}

const NOTHING: PairMoments = { n: 0, sumY: 0, sumX: 0, sumSquaresY: 0, sumSquaresX: 0, sumProducts: 0, cubes: [0, 0, 0, 0] };

test.each(ESTIMATED)("means and ratios that are looked at every day: $name", ({ name, population, estimate }) => {
  const group = groupsOf(population, random, BLOCKS);
  calibrate(name, (controlUnits, testUnits) => {
    let [controlMoments, testMoments] = [NOTHING, NOTHING];
    return () => {
      controlMoments = addPairMoments(controlMoments, group(controlUnits));
      testMoments = addPairMoments(testMoments, group(testUnits));
      const [control, treated] = estimate(controlMoments, testMoments);
      const compared = control && treated && compareMeans(control, treated).value;
      if (!compared) return { at: () => undefined, lack: () => undefined };
      return { at: () => ({ compared, control, test: treated }), lack: (alpha) => lackOfMeans(control, treated, { alpha }) };
    };
  });
});

test.each(CONVERSIONS)("proportions of %s that are looked at every day", (probability) => {
  calibrate(`conversion of ${100 * probability} %`, (controlUnits, testUnits) => {
    const [control, treated] = [
      { units: 0, successes: 0 },
      { units: 0, successes: 0 },
    ];
    return () => {
      for (const [group, units] of [
        [control, controlUnits],
        [treated, testUnits],
      ] as const) {
        group.units += units;
        group.successes += drawSuccesses(random, units, probability);
      }
      const compared = compareProportions(control, treated).value;
      const pooled = (control.successes + treated.successes) / (control.units + treated.units);
      const variance = pooled * (1 - pooled);
      const lack = lackOfProportions(control, treated);
      const groups = { control: { units: control.units, variance }, test: { units: treated.units, variance } };
      return { at: () => compared && { compared, ...groups }, lack: () => lack };
    };
  });
});

test.each([0.5, 0.9])("percentiles at %s that are looked at every day", (level) => {
  calibrate(
    `percentile ${level}`,
    (controlUnits, testUnits) => {
      const [control, treated] = [growingPercentile(random, level), growingPercentile(random, level)];
      let looks = 0;
      return () => {
        control.add(controlUnits);
        treated.add(testUnits);
        looks++;
        const lack = lackOfDrawn(level, [looks * controlUnits, looks * testUnits]);
        const found = new Map(
          ALPHAS.map((alpha) => {
            const [c, t] = [control.estimate(1 - alpha), treated.estimate(1 - alpha)];
            const compared = c && t && compareMeans(c, t).value;
            return [alpha as number, compared && { compared, control: c, test: t }];
          }),
        );
        return { at: (alpha) => found.get(alpha), lack: () => lack };
      };
    },
    [200],
  );
});

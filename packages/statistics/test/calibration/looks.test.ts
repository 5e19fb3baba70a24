import { afterAll, expect, test } from "vitest";
import {
  addPairMoments,
  type Comparison,
  compareMeans,
  compareProportions,
  type Estimate,
  estimateMoments,
  type Lack,
  lackOfMeans,
  lackOfProportions,
  type PairMoments,
  sequenceReach,
  sequentialThreshold,
} from "../../src/index.ts";
import { ALPHAS, type Cell, cellsAbove, countFalsePositives, toTable } from "./false-positives.ts";
import { CONVERSIONS, MEANS } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { drawSuccesses, groupsOf } from "./samples.ts";

// Two groups without a difference that are looked at every day are ever called different at most 1.15·α times.

const RUNS = Number(process.env.CALIBRATION_RUNS ?? 100);
const IS_LONG = RUNS >= 20_000;
const BLOCKS = IS_LONG ? 20_000 : 2_000;
const LOOKS = 28;
const UNITS_PER_LOOK = IS_LONG ? [100, 1_000] : [200];
const SPLITS = [50, 10, 1] as const;
/** No sequential test calls a smaller difference, in standard errors. */
const LEAST_THRESHOLD = 2.5;
const random = seededRandom(33);
const cells: Cell[] = [];

afterAll(() => {
  if (IS_LONG) console.log(`${RUNS} A/A tests of ${LOOKS} looks, false positives relative to α\n${toTable(cells)}`);
});

/** The contents of a look: the comparison, its test, and its missing data. */
type Look = {
  compared: Comparison;
  control: Pick<Estimate, "units" | "variance">;
  test: Pick<Estimate, "units" | "variance">;
  lack(alpha: number): Lack | undefined;
};
/** Draws the looks of an experiment. Each adds units. */
type DrawLooks = (controlUnits: number, testUnits: number) => () => Look | undefined;

const TESTS: Record<string, (look: Look, alpha: number) => boolean> = {
  "sequential test": ({ compared, control, test }, alpha) => Math.abs(compared.deviate) >= sequentialThreshold(control, test, { alpha }),
  guardrail: ({ compared, control, test }, alpha) => Math.abs(compared.deviate) >= sequenceReach(control.units + test.units, { alpha }),
};

function calibrate(name: string, draw: DrawLooks): void {
  const found: Cell[] = [];
  for (const [method, isCalled] of Object.entries(TESTS))
    for (const percent of SPLITS)
      for (const units of UNITS_PER_LOOK) {
        const testUnits = (units * percent) / 100;
        found.push(
          countFalsePositives(`${method}, ${name}, ${LOOKS} × ${units} units, ${100 - percent}/${percent}`, RUNS, () => {
            const look = draw(units - testUnits, testUnits);
            return everCalled(Array.from({ length: LOOKS }, look), isCalled);
          }),
        );
      }
  cells.push(...found);
  expect(cellsAbove(found)).toEqual([]);
}

function everCalled(looks: readonly (Look | undefined)[], isCalled: (look: Look, alpha: number) => boolean) {
  const known = looks.filter((look) => look !== undefined);
  const shown = new Map(ALPHAS.map((alpha) => [alpha as number, known.filter((look) => !look.lack(alpha))]));
  return {
    lack: (alpha: number): Lack | undefined => (shown.get(alpha)?.length ? undefined : { reason: "tooSkewed" }),
    isCalled: (alpha: number) =>
      shown.get(alpha)?.some((look) => Math.abs(look.compared.deviate) >= LEAST_THRESHOLD && isCalled(look, alpha)) ?? false,
  };
}

const NOTHING: PairMoments = { n: 0, sumY: 0, sumX: 0, sumSquaresY: 0, sumSquaresX: 0, sumProducts: 0, cubes: [0, 0, 0, 0] };
const toEstimate = ({ n, sumY, sumSquaresY, cubes }: PairMoments) =>
  estimateMoments({ n, sum: sumY, sumSquares: sumSquaresY, sumCubes: cubes?.[0] ?? 0 }).value;

test.each(MEANS)("means that are looked at every day: $name", (population) => {
  const group = groupsOf(population, random, BLOCKS);
  calibrate(population.name, (controlUnits, testUnits) => {
    let [controlMoments, testMoments] = [NOTHING, NOTHING];
    return () => {
      controlMoments = addPairMoments(controlMoments, group(controlUnits));
      testMoments = addPairMoments(testMoments, group(testUnits));
      const [control, treated] = [toEstimate(controlMoments), toEstimate(testMoments)];
      const compared = control && treated && compareMeans(control, treated).value;
      return compared && { compared, control, test: treated, lack: (alpha) => lackOfMeans(control, treated, { alpha }) };
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
      return compared && { compared, ...groups, lack: () => lack };
    };
  });
});

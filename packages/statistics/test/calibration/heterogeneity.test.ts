import { test } from "vitest";
import { type Difference, estimateDifference, lackOfMeans, testHeterogeneity } from "../../src/index.ts";
import { type Cell, countFalsePositives, expectCalibrated, readRuns } from "./false-positives.ts";
import { MEANS } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { type DrawGroup, estimateMean, groupsOf } from "./samples.ts";

// Parts of units with the same effect are called heterogeneous at most 1.15·α times. A part counts if its own test would have a verdict.

const { RUNS, IS_LONG, BLOCKS } = readRuns(500);
const check = expectCalibrated("Heterogeneity of equal effects", IS_LONG);
const random = seededRandom(35);
/** The units of each part, and the share of the test group, in percent. */
const PARTS: readonly (readonly number[])[] = [
  [40, 40],
  [400, 80, 40, 40, 40],
  [5_000, 1_000, 300, 100],
  Array.from({ length: 20 }, () => 100),
];
const SPLITS = [50, 20] as const;

function drawDifference(draw: DrawGroup, units: number, percent: number, alpha: number): Difference | undefined {
  const testUnits = Math.round((units * percent) / 100);
  const [control, treated] = [draw(units - testUnits), draw(testUnits)].map(estimateMean);
  if (!control || !treated || lackOfMeans(control, treated, { alpha })) return undefined;
  return estimateDifference(control, treated).value;
}

test.each(MEANS)("equal effects are called heterogeneous at most as often as α says: $name", (population) => {
  const draw = groupsOf(population, random, BLOCKS);
  const cells = PARTS.flatMap((parts) =>
    SPLITS.map(
      (percent): Cell =>
        countFalsePositives(`${population.name}, parts of ${parts.join(", ")}, ${100 - percent}/${percent}`, RUNS, () => {
          const { value } = testHeterogeneity(parts.flatMap((units) => drawDifference(draw, units, percent, 0.05) ?? []));
          return value && { isCalled: (alpha) => value.p <= alpha, lack: () => undefined };
        }),
    ),
  );
  check(cells);
});

import { afterAll, expect, test } from "vitest";
import { type HealthLevel, sampleRatioLevel, testSampleRatio } from "../../src/index.ts";
import { present } from "../support.ts";
import { readRuns } from "./false-positives.ts";
import { seededRandom } from "./random.ts";

const { RUNS, IS_LONG } = readRuns(300);
const LOOKS = 14 * 24;
const random = seededRandom(22);
const lines: string[] = [];

afterAll(() => {
  if (IS_LONG) console.log(["Checks of the sample ratio in each hour of two weeks", ...lines].join("\n"));
});

/** A group with the probability that its weight says. */
function pick(weights: readonly number[]): number {
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [group, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return group;
  }
  return weights.length - 1;
}

/** How often a check in each hour of two weeks reaches a level. The groups have these sizes, and `lost` of the last group's units are missing. */
function countReached(level: HealthLevel, weights: readonly number[], lost = 0): number {
  let reached = 0;
  for (let run = 0; run < RUNS; run++) {
    const units = weights.map(() => 0);
    for (let look = 0; look < LOOKS; look++) {
      for (let unit = 0; unit < 20; unit++) {
        const group = pick(weights);
        if (group < weights.length - 1 || random.uniform() >= lost) units[group] = (units[group] ?? 0) + 1;
      }
      if (sampleRatioLevel(present(testSampleRatio(units, weights))) !== level) continue;
      reached++;
      break;
    }
  }
  lines.push(`${weights.join("/")}, ${100 * lost} % of the last group lost: ${level} in ${reached} of ${RUNS}`);
  return reached;
}

const atMost = (share: number) => share * RUNS + 3 * Math.sqrt(share * RUNS);

test.each([[[50, 50]], [[90, 10]], [[40, 40, 20]]])(
  "healthy groups of %j units are rarely warned of, with a check each hour",
  (weights) => {
    expect(countReached("WARNING", weights)).toBeLessThanOrEqual(atMost(0.01));
    expect(countReached("FAILED", weights)).toBeLessThanOrEqual(atMost(0.001));
  },
);

test("groups that lose a fifth of their units fail", () => {
  expect(countReached("FAILED", [50, 50], 0.2)).toBeGreaterThan(0.95 * RUNS);
});

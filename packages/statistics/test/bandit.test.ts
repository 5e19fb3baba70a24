import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocateTraffic, banditWeights, bestArmProbabilities, bestMeanProbabilities, MIN_UNITS_PER_ARM, normalCdf } from "../src/index.ts";
import { computeMoments } from "./support.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Numbers between 0 and 1 that follow from a seed. Source: mulberry32 of T. Ettinger, in the public domain. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

describe("bestArmProbabilities", () => {
  test("two arms with many units are distinguished beside a third with few, whose rate is uncertain", () => {
    const [better, worse, unsure] = bestArmProbabilities([
      { units: 10_000_000, successes: 1_003_000 },
      { units: 10_000_000, successes: 1_000_000 },
      { units: 100, successes: 1 },
    ]) as [number, number, number];
    // 3,000 of 10 million are 2.235 standard errors.
    const z = 0.0003 / Math.sqrt((0.1003 * 0.8997 + 0.1 * 0.9) / 10_000_000);
    expect(better / (better + worse)).toBeCloseTo(normalCdf(z), 4);
    // Beta(2, 100) above the rate of 0.1: 0.9¹⁰¹ + 101 · 0.1 · 0.9¹⁰⁰.
    expect(unsure).toBeCloseTo(0.9 ** 101 + 10.1 * 0.9 ** 100, 4);
  });

  test("arms of the same counts have the same probability, and all sum to 1", () => {
    for (const count of [2, 3, 5, 20]) {
      const weights = bestArmProbabilities(Array.from({ length: count }, () => ({ units: 500, successes: 40 })));
      for (const weight of weights) expect(weight).toBeCloseTo(1 / count, 10);
    }
  });
});

describe("bestMeanProbabilities", () => {
  test("two arms: the normal probability that one mean is above the other", () => {
    const [first] = bestMeanProbabilities([
      { n: 400, sum: 820, sumSquares: 3281 },
      { n: 300, sum: 600, sumSquares: 2396 },
    ]);
    const spreads = [3281 - 820 ** 2 / 400, 2396 - 600 ** 2 / 300] as const;
    const pooled = sum(spreads) / 698;
    const variance = (spreads[0] + pooled) / 400 ** 2 + (spreads[1] + pooled) / 300 ** 2;
    expect(first).toBeCloseTo(normalCdf((820 / 400 - 2) / Math.sqrt(variance)), 5);
  });

  test("an arm whose units are all 0 is not certain to be worse", () => {
    const values = Array.from({ length: 200 }, (_, index) => (index < 2 ? 10 : 0));
    const [some, none] = bestMeanProbabilities([computeMoments(values), { n: 200, sum: 0, sumSquares: 0 }]) as [number, number];
    expect(some).toBeGreaterThan(0.5);
    expect(none).toBeGreaterThan(0.01);
  });

  test("without any variance the highest mean is the best, and equal ones share", () => {
    const constant = (value: number) => ({ n: 100, sum: 100 * value, sumSquares: 100 * value * value });
    expect(bestMeanProbabilities([constant(1), constant(3), constant(2)])).toEqual([0, 1, 0]);
    expect(bestMeanProbabilities([constant(0), constant(0)])).toEqual([0.5, 0.5]);
  });
});

describe("banditWeights", () => {
  test("weights are undefined until every arm has 100 units", () => {
    const arm = { units: 1_000, successes: 900 };
    expect(banditWeights({ of: "occurrence", arms: [arm, { units: MIN_UNITS_PER_ARM - 1, successes: 0 }] })).toBeUndefined();
    expect(banditWeights({ of: "occurrence", arms: [arm, { units: MIN_UNITS_PER_ARM, successes: 0 }] })?.[0]).toBeGreaterThan(0.999);
    const moments = { n: 99, sum: 10, sumSquares: 10 };
    expect(banditWeights({ of: "value", arms: [moments, { ...moments, n: 100 }] })).toBeUndefined();
  });

  test("if less is better, the arms change places", () => {
    const arms = [
      { units: 600, successes: 60 },
      { units: 500, successes: 70 },
    ];
    const [first, second] = banditWeights({ of: "occurrence", arms }) as [number, number];
    const [lower, higher] = banditWeights({ of: "occurrence", arms }, { higherIsBetter: false }) as [number, number];
    expect(lower).toBeCloseTo(second, 6);
    expect(higher).toBeCloseTo(first, 6);
    const values = [
      computeMoments([...Array(150).fill(1), ...Array(50).fill(0)]),
      computeMoments([...Array(120).fill(1), ...Array(80).fill(0)]),
    ];
    const [most] = banditWeights({ of: "value", arms: values }) as [number, number];
    expect(banditWeights({ of: "value", arms: values }, { higherIsBetter: false })?.[0]).toBeCloseTo(1 - most, 10);
  });

  test("weights are probabilities for any counts", () => {
    const arm = fc
      .record({ units: fc.integer({ min: 100, max: 5_000_000 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
      .map(({ units, share }) => ({ units, successes: Math.round(units * share) }));
    fc.assert(
      fc.property(fc.array(arm, { minLength: 2, maxLength: 6 }), (arms) => {
        const weights = banditWeights({ of: "occurrence", arms }) as number[];
        expect(sum(weights)).toBeCloseTo(1, 9);
        for (const weight of weights) expect(weight).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe("allocateTraffic", () => {
  test("no arm gets less than the floor, the shares sum to 1, and the rest keeps the proportions of the weights", () => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }).filter((all) => sum(all) > 0.01);
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (given, exploration) => {
        const normed = given.map((weight) => weight / sum(given));
        const shares = allocateTraffic(normed, exploration);
        expect(sum(shares)).toBeCloseTo(1, 9);
        const floor = exploration / normed.length;
        for (const [index, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(floor - 1e-12);
          expect(share - floor).toBeCloseTo((1 - exploration) * (normed[index] as number), 9);
        }
      }),
    );
  });
});

describe("in simulation", () => {
  type Policy = { rates: number[]; unitsPerLook: number; looks: number; exploration: number; threshold: number };

  /** Runs a bandit to its winner. @returns the arm that won, undefined if none did, and the units that each arm got */
  function run({ rates, unitsPerLook, looks, exploration, threshold }: Policy, seed: number) {
    const random = randomFrom(seed);
    const arms = rates.map(() => ({ units: 0, successes: 0 }));
    let shares = rates.map(() => 1 / rates.length);
    for (let look = 0; look < looks; look++) {
      for (let unit = 0; unit < unitsPerLook; unit++) {
        let rest = random();
        const chosen = shares.findIndex((share) => {
          rest -= share;
          return rest < 0;
        });
        const arm = arms[chosen === -1 ? arms.length - 1 : chosen] as { units: number; successes: number };
        arm.units += 1;
        if (random() < (rates[arms.indexOf(arm)] as number)) arm.successes += 1;
      }
      const weights = banditWeights({ of: "occurrence", arms });
      if (!weights) continue;
      const winner = weights.findIndex((weight) => weight >= threshold);
      if (winner !== -1) return { winner, arms };
      shares = allocateTraffic(weights, exploration);
    }
    return { winner: undefined, arms };
  }

  test("the arm with the best rate wins in at least the share of runs that the threshold states", () => {
    const policy = { rates: [0.1, 0.16, 0.1], unitsPerLook: 600, looks: 60, exploration: 0.1, threshold: 0.95 };
    const runs = Array.from({ length: 100 }, (_, seed) => run(policy, seed + 1));
    const winners = runs.filter(({ winner }) => winner !== undefined);
    expect(winners.length).toBe(100);
    expect(winners.filter(({ winner }) => winner === 1).length / winners.length).toBeGreaterThanOrEqual(0.95);
  });

  test("most units get the best arm, and every other one at least its floor", () => {
    const policy = { rates: [0.1, 0.2, 0.1, 0.1], unitsPerLook: 400, looks: 30, exploration: 0.2, threshold: 2 };
    const { arms } = run(policy, 7);
    const total = sum(arms.map(({ units }) => units));
    expect((arms[1]?.units ?? 0) / total).toBeGreaterThan(0.7);
    // Of the 5% floor, a chance of units may be missing: 5 standard errors.
    const least = 0.05 * total - 5 * Math.sqrt(total * 0.05 * 0.95);
    for (const { units } of arms) expect(units).toBeGreaterThan(least);
  });
});

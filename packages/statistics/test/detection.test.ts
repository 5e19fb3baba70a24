import { expect, test } from "vitest";
import {
  type Comparison,
  compareMeans,
  compareProportions,
  detectableBelief,
  type Estimate,
  estimateMoments,
  holm,
  normalQuantile,
} from "../src/index.ts";
import { computeMoments, present } from "./support.ts";

// Expected values come from scipy 1.17 and statsmodels 0.15, by methods independent of ours: the noncentral t distribution, exact sums over
// binomial outcomes, and roots by `brentq` of numerically maximized likelihoods.

const Z = normalQuantile(0.975);
const Z_ONE_SIDED = normalQuantile(0.95);
const group = (units: number, variance: number, mean = 10): Estimate => ({
  mean,
  variance,
  units,
  standardError: Math.sqrt(variance / units),
});
const means = (control: Estimate, treated: Estimate): Comparison => present(compareMeans(control, treated));
const proportions = (successes: number, units: number, testUnits: number): Comparison =>
  present(compareProportions({ units, successes }, { units: testUnits, successes: Math.round((testUnits * successes) / units) }));

/** How far the sum of two quantiles of Student's distribution is off from the noncentral one, by the units of each group. */
const SUM_OF_QUANTILES_WITHIN: Record<number, number> = { 10: 0.013, 50: 0.0015, 400: 0.0002 };

test.each([
  [10, 0.05, 0.8, 1.324947368330822],
  [10, 0.01, 0.9, 1.9050867222852146],
  [50, 0.05, 0.8, 0.5658802975295967],
  [50, 0.01, 0.8, 0.6952958873396929],
  [400, 0.05, 0.9, 0.22948607706967863],
])(
  "%s units in each group find at α = %s, with a power of %s, the difference that statsmodels' TTestIndPower finds",
  (n, alpha, power, d) => {
    const found = means(group(n, 1), group(n, 1)).detectable({ z: -normalQuantile(alpha / 2), power });
    expect(Math.abs((found ?? 0) / d - 1)).toBeLessThan(SUM_OF_QUANTILES_WITHIN[n] ?? 0);
  },
);

test.each([
  [10, 0.8, 1.1562972698640377],
  [50, 0.9, 0.5893682087416513],
  [400, 0.8, 0.17596931014489547],
])("%s units find less with a one-sided test", (n, power, d) => {
  const found = means(group(n, 1), group(n, 1)).detectable({ z: Z_ONE_SIDED, power });
  expect(Math.abs((found ?? 0) / d - 1)).toBeLessThan(SUM_OF_QUANTILES_WITHIN[n] ?? 0);
});

test.each([
  [40, 4, 15, 25, 3.971820711871243],
  [3_000, 4, 150, 25, 1.1556567176629404],
  [3_000, 4, 1_500, 25, 0.37607937338233627],
])("groups of %s units with variance %s and %s with %s find the difference of the noncentral t distribution", (n, v, m, w, expected) => {
  expect((means(group(n, v), group(m, w)).detectable({ z: Z, power: 0.8 }) ?? 0) / expected).toBeCloseTo(1, 2);
});

test("nine times as many units find a third of the difference", () => {
  const compared = means(group(2_000, 3), group(2_000, 3));
  const [now, later] = [1, 9].map((growth) => compared.detectable({ z: Z, power: 0.8, growth }) ?? 0);
  expect((now ?? 0) / (later ?? 1)).toBeCloseTo(3, 10);
});

// The exact power at these differences, summed over all outcomes, is 79.99 to 81.7%.
test.each([
  [300, 1_000, 1_000, Z, 0.05987452999250344, 0.05669667639848117],
  [30, 1_000, 1_000, Z, 0.026465477906713823, 0.01878737964621922],
  [40, 4_000, 400, Z, 0.019741396199093694, undefined],
  [450, 500, 700, normalQuantile(0.995), 0.05309211258107344, 0.07069612408242004],
  [200, 2_000, 2_000, Z_ONE_SIDED, 0.025355687447420023, 0.02283558474687606],
])("%s successes of %s, and as many of %s, find a rise and a fall as the root of scipy says", (successes, n, m, z, rise, fall) => {
  const compared = proportions(successes, n, m);
  const found = (direction?: "more" | "less") => compared.detectable({ z, power: 0.8, direction });
  expect(found("more")).toBeCloseTo(rise, 10);
  if (fall === undefined) expect(found("less")).toBeUndefined();
  else expect(found("less")).toBeCloseTo(fall, 10);
  expect(found()).toBeCloseTo(Math.max(rise, fall ?? 0), 10);
});

const A = [16.79, 14.7, 19.01, 21.68, 24.54, 20.44, 17.79, 16.86, 22.99, 26.54, 21.09, 15.07];
const B = [14.71, 27.5, 20.51, 10.84, 19.08, 13.68, 16.35, 17.06, 15.93];
const estimated = (values: number[]) => present(estimateMoments(computeMoments(values)));

// scipy: `ttest_ind(b, (1 - m) * a, equal_var=False, alternative="greater")`
test.each([
  [0.1, 0.6071784237906525],
  [0.2, 0.21702203484485838],
])("a margin of %s has the one-sided p-value of Welch's test of the scaled control", (margin, expected) => {
  const { p, deviate } = present(means(estimated(A), estimated(B)).against(-margin));
  expect(deviate > 0 ? p / 2 : 1 - p / 2).toBeCloseTo(expected, 9);
});

test.each([
  [300, 1_000, 290, 1_000, 0.9, 0.9842399324354153],
  [300, 1_000, 290, 1_000, 0.95, 0.20245829230448606],
  [40, 400, 70, 800, 0.8, 0.3730312142763321],
  [40, 400, 70, 800, 1.2, -1.5649037190907658],
])("%s of %s and %s of %s have the score against the ratio %s that scipy finds", (xc, nc, xt, nt, ratio, score) => {
  const compared = present(compareProportions({ units: nc, successes: xc }, { units: nt, successes: xt }));
  expect(present(compared.against(ratio - 1)).deviate).toBeCloseTo(score, 6);
});

test("a lift is rejected exactly if the interval of the lift excludes it", () => {
  const compared = [means(estimated(A), estimated(B)), means(estimated(A.map((value) => -value)), estimated(B.map((value) => -value)))];
  const table = present(compareProportions({ units: 400, successes: 40 }, { units: 800, successes: 70 }));
  for (const one of [...compared, table])
    for (const lift of [-0.4, -0.2, -0.1, 0.05, 0.3, 0.6])
      for (const z of [0.3, 0.8, 1.2, 1.96]) {
        const against = present(one.against(lift));
        const [lower, upper] = present(against.liftInterval(z));
        expect([lift < lower, lift > upper], `${lift} at ${z}`).toEqual([against.deviate > z, against.deviate < -z]);
      }
});

// 400,000 simulated experiments without a difference keep this margin in 80.08 and 80.07% of cases.
test.each([
  [-0.1, 1.8559217748235817],
  [0.1, 1.95435427287905],
])("two equal groups keep the margin that simulation confirms, for a null hypothesis of %s", (lift, margin) => {
  const compared = present(means(group(100, 16, 20), group(60, 25, 20)).against(lift));
  expect(compared.detectable({ z: Z_ONE_SIDED, power: 0.8 })).toBeCloseTo(margin, 8);
});

// Exact power over all outcomes: 80.05, 80.05 and 79.99%.
test.each([
  [300, 1_000, 1_000, -0.1, 0.047783727256012105],
  [300, 1_000, 1_000, 0.1, 0.056836611150742886],
  [400, 4_000, 1_000, -0.1, 0.024426486976641244],
])("proportions %s of %s and as many of %s keep the margin that exact sums confirm", (successes, n, m, lift, margin) => {
  const compared = present(proportions(successes, n, m).against(lift));
  expect(compared.detectable({ z: Z_ONE_SIDED, power: 0.8 })).toBeCloseTo(margin, 6);
});

test("a control without successes has no null hypothesis of a ratio, and neither has a control mean of 0", () => {
  expect(present(compareProportions({ units: 100, successes: 0 }, { units: 100, successes: 5 })).against(-0.1).reason).toBe(
    "control_mean_zero",
  );
  expect(means(group(20, 1, 0), group(20, 1, 1)).against(-0.1).reason).toBe("control_mean_zero");
});

test.each([
  [{ z: normalQuantile(0.95), power: 0.8 }, 0.049729497210487576],
  [{ z: normalQuantile(0.95), power: 0.8, prior: { mean: 0.01, standardDeviation: 0.03 } }, 0.05192534084439027],
  [{ z: normalQuantile(0.9), power: 0.9, prior: { mean: 0.01, standardDeviation: 0.03 }, isDecreaseBetter: true }, 0.06088014163348451],
])("a belief %j finds the effect at which scipy finds the power", (given, expected) => {
  expect(detectableBelief(0.02, given)).toBeCloseTo(expected, 10);
});

// statsmodels: `multipletests(ps, 0.05, method="holm")`
test.each([
  [[0.01, 0.04, 0.03, 0.005], [true, false, false, true], [0.03, 0.06, 0.06, 0.02], 0.025],
  [[0.2, 0.012, 0.013, 0.03, 0.5], [false, false, false, false, false], [0.4, 0.06, 0.06, 0.09, 0.5], 0.01],
  [[0.001, 0.002, 0.003], [true, true, true], [0.003, 0.004, 0.004], 0.05],
  [[0.5], [false], [0.5], 0.05],
])("Holm's procedure calls of %j what statsmodels calls", (ps, isSignificant, adjusted, alpha) => {
  const found = holm(ps, 0.05);
  expect(found.isSignificant).toEqual(isSignificant);
  expect(found.adjusted).toEqual(adjusted.map((p) => expect.closeTo(p, 12)));
  expect(found.alpha).toBeCloseTo(alpha, 12);
});

test("Holm's α decides each p-value as the procedure does", () => {
  for (let seed = 0; seed < 200; seed++) {
    const ps = Array.from({ length: 1 + (seed % 7) }, (_, index) => ((seed * 37 + index * 53) % 101) / 1_000);
    const { adjusted, alpha } = holm(ps, 0.05);
    expect(ps.map((p) => p <= alpha)).toEqual(adjusted.map((p) => p <= 0.05));
  }
});

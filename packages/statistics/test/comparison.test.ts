import { describe, expect, test } from "vitest";
import {
  type Comparison,
  compareMeans,
  compareProportions,
  estimateMoments,
  estimateRatio,
  lackOfMeans,
  lackOfProportions,
  normalQuantile,
  sequentialPValue,
  sequentialThreshold,
} from "../src/index.ts";
import { seededRandom } from "./calibration/random.ts";
import { computeMoments, computePairMoments, present } from "./support.ts";

const Z = -normalQuantile(0.025);

/** Successes and units of the test, then of the control. */
type Table = readonly [number, number, number, number];
const compareTable = ([successes, units, controlSuccesses, controlUnits]: Table): Comparison =>
  present(compareProportions({ units: controlUnits, successes: controlSuccesses }, { units, successes }));

// p: scipy 1.17 `chi2_contingency(correction=True)`. Bounds: roots of the corrected score by `brentq`, whose restricted likelihood scipy
// maximized numerically.
test.each([
  [[9, 100, 9, 900], 1.0840323637792981e-7, [0.0333640996, 0.1592124688], [2.3345618998, 22.9334169705]],
  [[0, 100, 9, 900], 0.6552664111208468, [-0.0259406374, 0.0371008154], [-1, 4.1712572083]],
  [[45, 1_000, 30, 1_000], 0.09939953216165605, [-0.0027171765, 0.0333364537], [-0.0680059251, 1.4224316568]],
  [[300, 1_000, 2_500, 9_000], 0.14771074602756679, [-0.0074738564, 0.0533086639], [-0.0266122938, 0.1940157131]],
  [[12, 400, 10, 4_000], 1.6286554696175372e-12, [0.0135992978, 0.0509476663], [3.8723623846, 28.6626838407]],
  [[980, 1_000, 960, 1_000], 0.012755204522993507, [0.0041809065, 0.0368957776], [0.004321689, 0.0389720097]],
] as [Table, number, number[], number[]][])(
  "proportions %j have the p-value and intervals that scipy finds",
  (table, p, interval, lift) => {
    const compared = compareTable(table);
    expect(compared.p / p).toBeCloseTo(1, 9);
    for (const [index, bound] of interval.entries()) expect(compared.interval(Z)[index]).toBeCloseTo(bound, 7);
    for (const [index, bound] of lift.entries()) expect(present(compared.liftInterval(Z))[index]).toBeCloseTo(bound, 5);
  },
);

const excludesZero = ([lower, upper]: readonly [number, number]) => lower > 0 || upper < 0;

test("p-value, interval and lift of two groups agree at every critical value", () => {
  const random = seededRandom(7);
  const disagreements: unknown[] = [];
  for (let run = 0; run < 300; run++) {
    const units = [10 + random.below(50), 10 + random.below(500)] as const;
    const [control, treated] = units.map((n) => ({ units: n, successes: 1 + random.below(n - 1) })) as [any, any];
    const draw = (n: number, mean: number) => Array.from({ length: n }, () => mean + random.normal());
    const means = units.map((n, group) => present(estimateMoments(computeMoments(draw(2 + (n % 9), 5 + group * random.uniform()))))) as [
      any,
      any,
    ];
    const compared = [compareProportions(control, treated), compareMeans(...means)];
    for (const { value } of compared)
      for (const z of [1.2816, 1.96, 2.5758, 3.58]) {
        if (!value) continue;
        const isBeyond = Math.abs(value.deviate) > z;
        const lift = value.liftInterval(z).value;
        if (excludesZero(value.interval(z)) !== isBeyond || (lift && excludesZero(lift) !== isBeyond)) disagreements.push([run, z, value]);
      }
  }
  expect(disagreements).toEqual([]);
});

test("Fieller's interval of four units each uses Student's distribution, as the p-value does", () => {
  const [control, treated] = [
    present(estimateMoments(computeMoments([10, 11, 12, 13]))),
    present(estimateMoments(computeMoments([12, 13, 14, 16]))),
  ];
  const { p, liftInterval } = present(compareMeans(control, treated));
  // scipy: ttest_ind(equal_var=False), and the roots of Fieller's equation with t.ppf(0.975, 5.5846). With the normal quantile, it would exclude 0.
  expect(p).toBeCloseTo(0.08370696470402568, 12);
  const [lower, upper] = present(liftInterval(Z));
  expect(lower).toBeCloseTo(-0.033486312330821, 9);
  expect(upper).toBeCloseTo(0.4725000377100044, 9);
});

describe("a verdict lacks information", () => {
  const count = (units: number, successes: number) => ({ units, successes });

  test("if fewer than five successes or failures are expected in the smaller group", () => {
    expect(lackOfProportions(count(900, 9), count(100, 1))).toEqual({ reason: "notEnoughSuccesses", missing: 40 });
    expect(lackOfProportions(count(900, 45), count(100, 5))).toBeUndefined();
    expect(lackOfProportions(count(900, 895), count(100, 99))).toEqual({ reason: "notEnoughFailures", missing: 44 });
  });

  test("if a group has fewer than ten units, and no more if the values aren't skewed", () => {
    const group = (units: number) => ({ mean: 1, variance: 1, standardError: 1 / Math.sqrt(units), units, thirdMoment: 0 });
    expect(lackOfMeans(group(9), group(500), { alpha: 0.05 })).toEqual({ reason: "notEnoughUnits", missing: 1 });
    expect(lackOfMeans(group(10), group(500), { alpha: 0.01 })).toBeUndefined();
    expect(lackOfMeans({ ...group(10), thirdMoment: undefined }, group(500), { alpha: 0.05 })).toEqual({ reason: "skewnessUnknown" });
  });

  test("if a group has fewer than 30 units with a ratio", () => {
    const ratio = (units: number) => {
      const values = (most: number) => Array.from({ length: units }, (_, unit) => 1 + (unit % most));
      return { ...present(estimateRatio(computePairMoments(values(4), values(3)))), thirdMoment: 0 };
    };
    expect(lackOfMeans(ratio(60), ratio(29), { alpha: 0.05 })).toEqual({ reason: "notEnoughUnits", missing: 1 });
    expect(lackOfMeans(ratio(60), ratio(30), { alpha: 0.05 })).toBeUndefined();
  });

  // With γ = 3, groups of 100 and 900 have the skewness 3·0.843/√100 = 0.253. At α = 5%, 0.156 is allowed: acosh(1.1)·6/(1.96·(2·1.96² + 1)).
  test("if skewed values are compared in groups of different sizes, the more so the smaller α is", () => {
    const group = (units: number) => ({ mean: 1, variance: 1, standardError: 1 / Math.sqrt(units), units, thirdMoment: 3 });
    expect(lackOfMeans(group(900), group(100), { alpha: 0.05 })).toEqual({ reason: "tooSkewed", missing: 162 });
    expect(lackOfMeans(group(900 * 2.7), group(270), { alpha: 0.05 })).toBeUndefined();
    expect(lackOfMeans(group(900 * 2.7), group(270), { alpha: 0.01 })).toMatchObject({ reason: "tooSkewed" });
    expect(lackOfMeans(group(100), group(100), { alpha: 0.01 })).toBeUndefined();
    // One-sided at 10%, 0.0760 is allowed: ln(1.1)·6/(1.755·(2·1.28² + 1)), where 1.755 is φ(1.28)/0.1.
    expect(lackOfMeans(group(900), group(100), { alpha: 0.1, isOneSided: true })).toEqual({ reason: "tooSkewed", missing: 1_007 });
  });
});

test("the skewness of means and ratios is that of their values", () => {
  const values = [1, 2, 2, 9, 4, 0.5];
  const cubes = values.reduce((sum, value) => sum + value ** 3, 0);
  // scipy.stats.moment(values, 3)
  expect(present(estimateMoments({ ...computeMoments(values), sumCubes: cubes })).thirdMoment).toBeCloseTo(29.84490740740741, 12);
  const visits = [1, 1, 2, 3, 2, 1];
  const sum = (of: (y: number, x: number) => number) => values.reduce((total, y, index) => total + of(y, visits[index] as number), 0);
  const moments = computePairMoments(values, visits);
  const ratio = present(
    estimateRatio({ ...moments, cubes: [cubes, sum((y, x) => y * y * x), sum((y, x) => y * x * x), sum((_, x) => x ** 3)] }),
  );
  const residuals = values.map((y, index) => (y - ratio.mean * (visits[index] as number)) / (10 / 6));
  expect(ratio.thirdMoment).toBeCloseTo(residuals.reduce((total, one) => total + one ** 3, 0) / 6, 12);
});

test("the sequential p-value is the α at which the difference is just called", () => {
  const [control, treated] = [
    { units: 900, variance: 4 },
    { units: 100, variance: 5 },
  ];
  for (const alpha of [0.001, 0.01, 0.05]) {
    const threshold = sequentialThreshold(control, treated, { alpha });
    expect(sequentialPValue(control, treated, -threshold)).toBeCloseTo(alpha, 10);
  }
  expect(sequentialPValue(control, treated, 1)).toBe(1);
  // A larger α never asks for more, though the documented threshold does.
  expect(sequentialThreshold(control, treated, { alpha: 0.2 })).toBeLessThanOrEqual(sequentialThreshold(control, treated, { alpha: 0.05 }));
});

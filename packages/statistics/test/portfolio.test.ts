import { describe, expect, test } from "vitest";
import { shrinkEffects } from "../src/index.ts";

describe("effects shrunk for the winner's curse", () => {
  test("have the posterior means and deviations of a normal prior with Paule and Mandel's variance", () => {
    const effects = [2.1, -0.4, 5.8, 0.9, 3.3, -1.7, 0.2, 7.4];
    const errors = [1.1, 0.9, 2.4, 0.7, 1.6, 1.2, 0.8, 3.1];
    const { value } = shrinkEffects(effects.map((effect, index) => ({ effect, standardError: errors[index] ?? 0 })));
    if (!value) throw new Error("They have no value.");
    // The variance and the mean by statsmodels 0.15, combine_effects(method_re="iterated"), with more digits by SciPy's brentq; NumPy for the rest.
    expect(value.variance).toBeCloseTo(5.208577133598401, 9);
    expect(value.mean).toBeCloseTo(1.4916816291979278, 9);
    const means = [
      ...[1.985322679255885, -0.14541123497503317, 3.5375448507532425, 0.9508765594480794],
      ...[2.7041000108974886, -1.0087210310279549, 0.34134655725708996, 3.5683946419746264],
    ];
    const deviations = [
      ...[0.9909069006988451, 0.8372499765447352, 1.653848199846346, 0.6692284179728686],
      ...[1.3101131070427254, 1.062126978482032, 0.7549608413221744, 1.8378835528789519],
    ];
    for (const [index, one] of value.effects.entries()) {
      expect(one.effect).toBeCloseTo(means[index] ?? Number.NaN, 9);
      expect(one.standardError).toBeCloseTo(deviations[index] ?? Number.NaN, 6);
    }
  });

  test("are all the mean if they differ by chance alone", () => {
    const { value } = shrinkEffects([1, 1.1, 0.9].map((effect) => ({ effect, standardError: 1 })));
    expect(value).toMatchObject({ variance: 0, mean: expect.closeTo(1, 12) });
    expect(value?.effects.map(({ effect, weight }) => [effect, weight])).toEqual(Array(3).fill([expect.closeTo(1, 12), 0]));
  });

  test("remove the bias of effects that were chosen because they are large", () => {
    // Each of 41 true effects with each of 41 errors of the same sizes, so nothing is random.
    const sizes = Array.from({ length: 41 }, (_, index) => Math.tan(Math.PI * ((index + 0.5) / 41 - 0.5)) / 4);
    const pairs = sizes.flatMap((truth) => sizes.map((error) => ({ truth, effect: truth + error })));
    const spread = Math.sqrt(sizes.reduce((sum, one) => sum + one * one, 0) / 41);
    const { value } = shrinkEffects(pairs.map(({ effect }) => ({ effect, standardError: spread })));
    const slope = (estimates: readonly number[]) => {
      const products = pairs.reduce((sum, { truth }, index) => sum + truth * (estimates[index] ?? 0), 0);
      return products / estimates.reduce((sum, estimate) => sum + estimate ** 2, 0);
    };
    // The truth that an estimate stands for, per unit of the estimate.
    expect(slope(pairs.map(({ effect }) => effect))).toBeCloseTo(0.5, 3);
    expect(slope(value?.effects.map(({ effect }) => effect) ?? [])).toBeCloseTo(1, 2);
  });

  test("need three effects", () => {
    expect(
      shrinkEffects([
        { effect: 1, standardError: 1 },
        { effect: 2, standardError: 1 },
      ]),
    ).toEqual({ reason: "no_units" });
  });
});

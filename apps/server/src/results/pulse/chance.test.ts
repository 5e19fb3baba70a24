import { expect, test } from "vitest";
import { expectedByChance } from "./chance.ts";

const NONE = {
  ...{ bonferroniPerVariant: false, bonferroniPerMetric: false, primaryWeight: 0.5 },
  ...{
    holmPerVariant: false,
    holmPerMetric: false,
    benjaminiHochbergPerVariant: false,
    benjaminiHochbergPerMetric: false,
    primaryOnly: false,
  },
};
const decided = (alpha: number) => ({ alpha, isSignificant: false, verdict: { test: "fixed" as const, pValue: 0.5 } });

test("of ten metrics at 5%, half a one is called by chance, and a twentieth after Bonferroni", () => {
  expect(expectedByChance(Array(10).fill(decided(0.05)), NONE)).toEqual({ comparisons: 10, expected: expect.closeTo(0.5, 12) });
  const corrected = { ...NONE, bonferroniPerMetric: true };
  expect(expectedByChance(Array(10).fill(decided(0.005)), corrected)).toEqual({ comparisons: 10, expected: expect.closeTo(0.05, 12) });
});

test("metrics without a p-value verdict don't count, and one metric alone or Benjamini–Hochberg gives no estimate", () => {
  const withheld = { alpha: 0.05, verdict: { test: "fixed" as const, pValue: 0.01, withheld: "tooSkewed" as const } };
  const believed = { alpha: 0.05, isSignificant: true, verdict: { test: "bayesian" as const } };
  expect(expectedByChance([decided(0.05), withheld, believed], NONE)).toBeUndefined();
  expect(expectedByChance([decided(0.05), decided(0.05)], { ...NONE, benjaminiHochbergPerMetric: true })).toBeUndefined();
});

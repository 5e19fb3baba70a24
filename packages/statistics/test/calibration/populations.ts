import type { Random } from "./random.ts";

/** How a unit's two values are drawn: y, and x, its earlier value or its divisor. */
export type Population = { name: string; draw(random: Random): readonly [y: number, x: number] };

const lognormal = (random: Random, deviation: number) => Math.exp(deviation * random.normal());
const alone = (draw: (random: Random) => number) => (random: Random) => [draw(random), 0] as const;

/** One value per unit. */
export const MEANS: readonly Population[] = [
  { name: "normal", draw: alone((random) => 10 + 2 * random.normal()) },
  { name: "lognormal σ 1", draw: alone((random) => lognormal(random, 1)) },
  { name: "lognormal σ 2", draw: alone((random) => lognormal(random, 2)) },
  { name: "Pareto 2.5", draw: alone((random) => random.uniform() ** (-1 / 2.5)) },
  { name: "5 % buyers", draw: alone((random) => (random.uniform() < 0.05 ? 20 * lognormal(random, 1) : 0)) },
  { name: "1 % buy 1 or 2", draw: alone((random) => (random.uniform() < 0.01 ? 1 + random.below(2) : 0)) },
];

/** A numerator and its denominator. */
export const RATIOS: readonly Population[] = [
  {
    name: "ratio",
    draw(random) {
      const visits = 1 + random.below(5);
      let value = 0;
      for (let visit = 0; visit < visits; visit++) value += 5 + random.normal();
      return [value, visits];
    },
  },
  {
    name: "ratio of skewed sums",
    draw(random) {
      const visits = 1 + Math.floor(2 * lognormal(random, 0.5));
      return [random.uniform() < 0.2 ? visits * lognormal(random, 1) : 0, visits];
    },
  },
];

/** A value and the one before the exposure. */
export const ADJUSTED: readonly Population[] = [
  {
    name: "CUPED, normal",
    draw(random) {
      const before = 10 + 2 * random.normal();
      return [before + random.normal(), before];
    },
  },
  {
    name: "CUPED, skewed",
    draw(random) {
      const before = random.uniform() < 0.5 ? lognormal(random, 1) : 0;
      return [before + lognormal(random, 1), before];
    },
  },
];

/** A conversion, and an earlier one. */
export const REPEATED_CONVERSION: Population = {
  name: "CUPED, conversion of 30 %",
  draw(random) {
    const before = random.uniform() < 0.3 ? 1 : 0;
    return [random.uniform() < 0.2 + before / 3 ? 1 : 0, before];
  },
};

/** Shares of units that have a 1. */
export const CONVERSIONS = [0.3, 0.01, 0.001] as const;

import {
  adjustMeans,
  type CrossMoments,
  type Estimate,
  estimateMoments,
  estimateRatio,
  type PairMoments,
  type Triple,
  triplesOf,
} from "../../src/index.ts";
import { ADJUSTED, MEANS, type Population, RATIOS } from "./populations.ts";
import type { Random } from "./random.ts";

/** Draws the moments of a group of units. */
export type DrawGroup = (units: number) => PairMoments;

/** Σ y, x, y², x², yx, y³, y²x, yx² and x³. */
const SUMS = 9;
const [SMALL, LARGE] = [100, 1_000] as const;

/**
 * Groups of a population: small ones unit by unit, and larger ones from blocks of units that were drawn once, so that a group of 100,000 costs
 * a hundred additions. Both groups of an A/A test come from the same blocks.
 * @param blocks how many blocks of each size there are
 */
export function groupsOf(population: Population, random: Random, blocks: number): DrawGroup {
  let small: Float64Array | undefined;
  let large: Float64Array | undefined;
  const addUnits = (sums: Float64Array, at: number, units: number) => {
    for (let unit = 0; unit < units; unit++) addUnit(sums, at, population.draw(random));
  };
  const addBlocks = (sums: Float64Array, at: number, from: Float64Array, count: number) => {
    for (let block = 0; block < count; block++) {
      const start = SUMS * random.below(blocks);
      for (let sum = 0; sum < SUMS; sum++) sums[at + sum] = (sums[at + sum] as number) + (from[start + sum] as number);
    }
  };
  const build = (add: (sums: Float64Array, at: number) => void) => {
    const built = new Float64Array(SUMS * blocks);
    for (let block = 0; block < blocks; block++) add(built, SUMS * block);
    return built;
  };
  const smallBlocks = () => {
    small ??= build((sums, at) => addUnits(sums, at, SMALL));
    return small;
  };
  const largeBlocks = () => {
    const from = smallBlocks();
    large ??= build((sums, at) => addBlocks(sums, at, from, LARGE / SMALL));
    return large;
  };
  return (units) => {
    const sums = new Float64Array(SUMS);
    const inLarge = units >= 5 * LARGE ? Math.floor(units / LARGE) : 0;
    const rest = units - inLarge * LARGE;
    const inSmall = units >= SMALL ? Math.floor(rest / SMALL) : 0;
    if (inLarge > 0) addBlocks(sums, 0, largeBlocks(), inLarge);
    if (inSmall > 0) addBlocks(sums, 0, smallBlocks(), inSmall);
    addUnits(sums, 0, rest - inSmall * SMALL);
    return toMoments(units, sums);
  };
}

function addUnit(sums: Float64Array, at: number, [y, x]: readonly [number, number]): void {
  const terms = [y, x, y * y, x * x, y * x, y * y * y, y * y * x, y * x * x, x * x * x];
  for (let sum = 0; sum < SUMS; sum++) sums[at + sum] = (sums[at + sum] as number) + (terms[sum] as number);
}

function toMoments(n: number, sums: Float64Array): PairMoments {
  const [sumY = 0, sumX = 0, sumSquaresY = 0, sumSquaresX = 0, sumProducts = 0, yyy = 0, yyx = 0, yxx = 0, xxx = 0] = sums;
  return { n, sumY, sumX, sumSquaresY, sumSquaresX, sumProducts, cubes: [yyy, yyx, yxx, xxx] };
}

/** How many of `units` succeed with a probability: a binomial number, by waiting times for rare successes and by its normal limit for many. */
export function drawSuccesses(random: Random, units: number, probability: number): number {
  const variance = units * probability * (1 - probability);
  if (variance > 1_000) return Math.round(units * probability + Math.sqrt(variance) * random.normal());
  const step = Math.log(1 - probability);
  let successes = 0;
  for (let unit = Math.ceil(Math.log(random.uniform()) / step); unit <= units; unit += Math.ceil(Math.log(random.uniform()) / step))
    successes++;
  return successes;
}

/** The mean of y. */
export const estimateMean = ({ n, sumY, sumSquaresY, cubes }: PairMoments): Estimate | undefined =>
  estimateMoments({ n, sum: sumY, sumSquares: sumSquaresY, sumCubes: cubes?.[0] ?? 0 }).value;

/** The estimates of control and test. */
type EstimatePair = (control: PairMoments, test: PairMoments) => readonly (Estimate | undefined)[];

/** All populations with what is compared of their groups. */
export const ESTIMATED: readonly { name: string; population: Population; estimate: EstimatePair }[] = [
  ...MEANS.map((population) => ({ ...named(population), estimate: (...groups: PairMoments[]) => groups.map(estimateMean) })),
  ...RATIOS.map((population) => ({
    ...named(population),
    estimate: (...groups: PairMoments[]) => groups.map((one) => estimateRatio(one).value),
  })),
  ...ADJUSTED.map((population) => ({
    ...named(population),
    estimate: (...groups: PairMoments[]) =>
      adjustMeans(
        groups,
        groups.reduce((sum, { n }) => sum + n, 0),
      ).adjustment?.groups ?? [],
  })),
];

function named(population: Population) {
  return { name: population.name, population };
}

/** The moments of a group whose units have several values each, drawn unit by unit. @param draw writes the values of a unit */
export function drawCrossMoments(units: number, size: number, draw: (unit: Float64Array) => void): CrossMoments {
  const triples = triplesOf(size);
  const unit = new Float64Array(size);
  const sums = new Float64Array(size);
  const products = new Float64Array(size * size);
  const cubes = new Float64Array(triples.length);
  const at = (values: Float64Array, index: number) => values[index] as number;
  for (let drawn = 0; drawn < units; drawn++) {
    draw(unit);
    for (let i = 0; i < size; i++) {
      sums[i] = at(sums, i) + at(unit, i);
      for (let j = 0; j < size; j++) products[i * size + j] = at(products, i * size + j) + at(unit, i) * at(unit, j);
    }
    for (let index = 0; index < triples.length; index++) {
      const [i, j, l] = triples[index] as Triple;
      cubes[index] = at(cubes, index) + at(unit, i) * at(unit, j) * at(unit, l);
    }
  }
  const rows = Array.from({ length: size }, (_, row) => [...products.subarray(row * size, (row + 1) * size)]);
  return { n: units, sums: [...sums], products: rows, cubes: [...cubes] };
}

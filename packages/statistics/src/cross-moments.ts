import { centralThird } from "./moments.ts";

/** The moments of several values per unit: their sums, and the sums of the products of each two. They add up over shards. */
export type CrossMoments = {
  readonly n: number;
  readonly sums: readonly number[];
  /** Of the values i and j at `[i][j]`. Symmetric. */
  readonly products: readonly (readonly number[])[];
  /** Of the values i ≤ j ≤ l, in the order of `triplesOf`. Without them, the skewness is unknown. */
  readonly cubes?: readonly number[];
};

export type Triple = readonly [i: number, j: number, l: number];

/** The products of three of several values, each once. */
export function triplesOf(count: number): Triple[] {
  const triples: Triple[] = [];
  for (let i = 0; i < count; i++) for (let j = i; j < count; j++) for (let l = j; l < count; l++) triples.push([i, j, l]);
  return triples;
}

/** The third central moment of a weighted sum of the values. Undefined if the sums that it follows from are unknown. */
export function thirdOfSum({ n, sums, products, cubes }: CrossMoments, weights: readonly number[]): number | undefined {
  if (!cubes) return undefined;
  const weight = (index: number) => weights[index] ?? 0;
  const sum = sums.reduce((total, value, i) => total + weight(i) * value, 0);
  const squares = products.reduce((total, row, i) => total + row.reduce((own, value, j) => own + weight(i) * weight(j) * value, 0), 0);
  const third = triplesOf(sums.length).reduce(
    (total, [i, j, l], index) => total + orders(i, j, l) * weight(i) * weight(j) * weight(l) * (cubes[index] ?? Number.NaN),
    0,
  );
  return centralThird(n, sum, squares, third);
}

/** In how many orders three factors stand. */
const orders = (i: number, j: number, l: number): number => (i === j && j === l ? 1 : i === j || j === l ? 3 : 6);

/** The moments of some of the values. */
export function selectValues({ n, sums, products, cubes }: CrossMoments, values: readonly number[]): CrossMoments {
  const all = cubes && new Map(triplesOf(sums.length).map((triple, index) => [triple.join(), cubes[index] ?? Number.NaN]));
  return {
    n,
    sums: values.map((value) => sums[value] ?? 0),
    products: values.map((i) => values.map((j) => products[i]?.[j] ?? 0)),
    ...(all && {
      cubes: triplesOf(values.length).map((triple) => {
        const chosen = triple.map((index) => values[index] ?? 0).sort((a, b) => a - b);
        return all.get(chosen.join()) ?? Number.NaN;
      }),
    }),
  };
}

/** The sample covariance of two weighted sums of the values, with each unit's values weighted alike. */
export function computeCovariance({ n, sums, products }: CrossMoments, left: readonly number[], right: readonly number[]): number {
  let total = 0;
  for (const [i, a] of left.entries()) {
    for (const [j, b] of right.entries()) {
      if (a === 0 || b === 0) continue;
      total += a * b * ((products[i]?.[j] ?? 0) - ((sums[i] ?? 0) * (sums[j] ?? 0)) / n);
    }
  }
  return total / (n - 1);
}

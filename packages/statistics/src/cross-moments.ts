/** The moments of several values per unit: their sums, and the sums of the products of each two. They add up over shards. */
export type CrossMoments = {
  readonly n: number;
  readonly sums: readonly number[];
  /** Of the values i and j at `[i][j]`. Symmetric. */
  readonly products: readonly (readonly number[])[];
};

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

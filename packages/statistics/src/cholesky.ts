/** A symmetric matrix, by rows. */
export type Matrix = readonly (readonly number[])[];

/** The lower triangle of Cholesky's factor L, with L Lᵀ for the matrix. */
export type Factor = readonly (readonly number[])[];

/** A column is taken as a combination of earlier ones if so small a share of it is left without them. */
const LEAST_LEFT = 1e-8;

/**
 * The columns that are independent of those before them in every matrix, in their order, and the factor of these columns of each matrix. The
 * matrices are sums of squares and products.
 */
export function factorIndependent(matrices: readonly Matrix[], columns: readonly number[]): { kept: number[]; factors: Factor[] } {
  const kept: number[] = [];
  const factors = matrices.map((): number[][] => []);
  for (const column of columns) {
    const added = matrices.map((matrix, at) => {
      const row = solveLower(
        factors[at] ?? [],
        kept.map((one) => matrix[column]?.[one] ?? 0),
      );
      const square = matrix[column]?.[column] ?? 0;
      const left = square - squaredLength(row);
      return { row, left, isIndependent: square > 0 && left > LEAST_LEFT * square };
    });
    if (!added.every(({ isIndependent }) => isIndependent)) continue;
    for (const [at, { row, left }] of added.entries()) factors[at]?.push([...row, Math.sqrt(left)]);
    kept.push(column);
  }
  return { kept, factors };
}

/** The solution x of L x = b. */
export function solveLower(factor: Factor, b: readonly number[]): number[] {
  const x: number[] = [];
  for (const [index, value] of b.entries()) {
    const row = factor[index] ?? [];
    const known = x.reduce((sum, one, at) => sum + one * (row[at] ?? 0), 0);
    x.push((value - known) / (row[index] ?? Number.NaN));
  }
  return x;
}

/** The solution x of Lᵀ x = b. */
export function solveUpper(factor: Factor, b: readonly number[]): number[] {
  const x = new Array<number>(b.length).fill(0);
  for (let index = b.length - 1; index >= 0; index--) {
    const known = x.reduce((sum, one, at) => (at > index ? sum + one * (factor[at]?.[index] ?? 0) : sum), 0);
    x[index] = ((b[index] ?? 0) - known) / (factor[index]?.[index] ?? Number.NaN);
  }
  return x;
}

export const squaredLength = (vector: readonly number[]): number => product(vector, vector);

export const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? Number.NaN), 0);

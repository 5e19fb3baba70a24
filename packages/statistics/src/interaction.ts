import type { Difference } from "./difference.ts";
import { chiSquareSurvival } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";

/** The means of two groups of an experiment among the units of two groups of another one. */
export type InteractionCells = {
  readonly control: { readonly otherControl: Estimate; readonly otherTest: Estimate };
  readonly test: { readonly otherControl: Estimate; readonly otherTest: Estimate };
};

/**
 * The interaction of two experiments: the effect of the first among units of the other's test group, less that among units of its control group.
 * The cells are independent, so their variances add up; degrees of freedom as Welch 1947 and Satterthwaite 1946 approximate them. It's the
 * coefficient of the product in a regression with both groups and their product, with the standard error HC2 (MacKinnon, White 1985).
 */
export function estimateInteraction({ control, test }: InteractionCells): Maybe<Difference> {
  const cells = [test.otherTest, test.otherControl, control.otherTest, control.otherControl];
  const variance = cells.reduce((sum, { standardError }) => sum + standardError ** 2, 0);
  if (variance === 0) return none("no_variance");
  const spread = cells.reduce((sum, { standardError, units }) => sum + standardError ** 4 / (units - 1), 0);
  return some({
    delta: test.otherTest.mean - test.otherControl.mean - (control.otherTest.mean - control.otherControl.mean),
    standardError: Math.sqrt(variance),
    degreesOfFreedom: variance ** 2 / spread,
  });
}

export type Independence = {
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** With a fixed horizon: for one look, planned before. */
  readonly p: number;
};

/**
 * Whether units were assigned to the columns of a table independently of its rows. Rows and columns without units are left out. Source: Pearson
 * 1900.
 */
export function testIndependence(table: readonly (readonly number[])[]): Maybe<Independence> {
  const rows = table.map((row) => row.reduce((sum, units) => sum + units, 0));
  const columns = (table[0] ?? []).map((_, at) => table.reduce((sum, row) => sum + (row[at] ?? 0), 0));
  const total = rows.reduce((sum, units) => sum + units, 0);
  const degreesOfFreedom = (rows.filter((units) => units > 0).length - 1) * (columns.filter((units) => units > 0).length - 1);
  if (total === 0 || degreesOfFreedom <= 0) return none("no_units");
  let chiSquare = 0;
  for (const [row, units] of rows.entries())
    for (const [column, others] of columns.entries()) {
      const expected = (units * others) / total;
      if (expected > 0) chiSquare += ((table[row]?.[column] ?? 0) - expected) ** 2 / expected;
    }
  return some({ chiSquare, degreesOfFreedom, p: chiSquareSurvival(chiSquare, degreesOfFreedom) });
}

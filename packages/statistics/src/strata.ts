import type { Difference } from "./difference.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";

/** A part of the units that was known before the exposure. */
export type Stratum = { readonly control: Estimate; readonly test: Estimate };

/** The difference over strata, each weighted by its share of all units. Source: Miratrix, Sekhon, Yu 2013. */
export function stratifiedDifference(strata: readonly Stratum[]): Maybe<Difference> {
  const total = strata.reduce((sum, { control, test }) => sum + control.units + test.units, 0);
  if (total === 0) return none("no_units");
  let [delta, variance] = [0, 0];
  for (const { control, test } of strata) {
    const weight = (control.units + test.units) / total;
    delta += weight * (test.mean - control.mean);
    variance += weight ** 2 * (control.standardError ** 2 + test.standardError ** 2);
  }
  if (variance === 0) return none("no_variance");
  return some({ delta, standardError: Math.sqrt(variance), degreesOfFreedom: Number.POSITIVE_INFINITY });
}

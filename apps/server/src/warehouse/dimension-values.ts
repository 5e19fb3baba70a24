import type { Analysis } from "../results/sql/analysis.ts";
import { countsIn, type DimensionCounts, type DimensionRow, dimensionCounts } from "../results/sql/dimension-counts.ts";
import type { ResultEngine, ResultEngines } from "./result-engines.ts";

/** Counts units by the values of a field or property. @throws NotComputable, WarehouseFailure */
export async function countValues(
  { selectUnits }: Pick<ResultEngines, "selectUnits">,
  { dialect, ask }: Pick<ResultEngine, "dialect" | "ask">,
  analysis: Analysis,
  field: string,
): Promise<DimensionCounts | undefined> {
  const units = await selectUnits({ ...analysis, dimension: { of: "text", field } });
  const known = units === undefined ? analysis : { ...analysis, units };
  return countsIn(await ask<DimensionRow>(dimensionCounts(known, field, dialect)), field)[0];
}

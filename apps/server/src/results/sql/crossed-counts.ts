import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { unitsTable } from "./moments-query.ts";
import { parametersFor, type Statement } from "./statement.ts";

/** How many units a group has that saw a group of the other experiment. */
export type CrossedRow = { grp: string; dim: string; units: number | string };

/** The statement that counts the units of each pair of groups. @param analysis with crossed exposures, and all fields as the dimension */
export function crossedCounts(analysis: Analysis, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const text = `with ${unitsTable(analysis, dialect, bind)} select grp, dim, count(*) as units from unit group by grp, dim order by grp, dim`;
  return { text, parameters: bind.parameters };
}

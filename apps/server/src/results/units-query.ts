import type { Analysis } from "./days.ts";
import type { Dialect } from "./dialect.ts";
import { unitsOf } from "./moments-query.ts";
import type { GivenUnit } from "./source-rows.ts";
import { parametersFor, type Statement } from "./statement.ts";

export type UnitRow = { id: string; grp: string; since: number | string; dim: string | null };

/** The statement that answers the units that are compared, so that a warehouse can be asked about them: at most one more than `most`. */
export function unitsQuery(analysis: Analysis, most: number, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const units = unitsOf(analysis, dialect, bind);
  return { text: `with ${units}\nselect id, grp, since, dim from unit limit ${most + 1}`, parameters: bind.parameters };
}

export function givenUnitsOf(rows: readonly UnitRow[]): string {
  return JSON.stringify(rows.map(({ id, grp, since, dim }): GivenUnit => [id, grp, Number(since), dim]));
}

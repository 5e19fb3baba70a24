import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { type Exposed, exposures } from "./exposed.ts";
import { unitsTable } from "./moments-query.ts";
import { parametersFor, type Statement } from "./statement.ts";

/** How many units there are, at most one more than was asked for, and a JSON text with a list of them (`GivenUnit`). */
export type UnitsRow = { units: number | string; listed: string };

/** The statement that answers the units that are compared, so that a warehouse can be asked about them. */
export function unitsQuery(analysis: Analysis, most: number, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const units = unitsTable(analysis, dialect, bind);
  const text = `with ${units}
select count(*) as units, ${dialect.listedUnits(["id", "grp", "since", "dim", "0"])} as listed
from (select id, grp, since, dim from unit limit ${most + 1}) as listing`;
  return { text, parameters: bind.parameters };
}

/** The same of each group that a unit saw, with its first exposure to any. Units that saw several are listed as often. */
export function shownUnitsQuery(exposed: Exposed, most: number, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const text = `select count(*) as units, ${dialect.listedUnits(["unit", "grp", "since", "null", "0"])} as listed
from (
  select unit, grp, min(min("time")) over (partition by unit) as since from (${exposures(exposed, dialect, bind)}) as exposure group by unit, grp limit ${most + 1}
) as listing`;
  return { text, parameters: bind.parameters };
}

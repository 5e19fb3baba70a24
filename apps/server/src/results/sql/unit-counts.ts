import type { Schema } from "@gatehouse/contract/console";
import { andComplete } from "./compared-units.ts";
import type { Dialect } from "./dialect.ts";
import { type Exposed, exposures, FAIL, PASS } from "./exposed.ts";
import { parametersFor, type Statement } from "./statement.ts";

export type UnitCounts = Schema<"MonitoredUnits">;

/** The statement that counts the units of a gate's rule or a holdout: those that are compared, and those that are left out for seeing both. */
export function unitCounts(exposed: Exposed, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const start = bind.integer(exposed.startTime);
  const isComplete = andComplete(exposed.exposureSource, exposed.startTime, "unit", "low", dialect, bind);
  const counted = (condition: string) => dialect.double(`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`);
  const text = `
select ${counted(`low = '${PASS}' and high = '${PASS}' and since >= ${start}${isComplete}`)} as pass,
  ${counted(`low = '${FAIL}' and high = '${FAIL}' and since >= ${start}${isComplete}`)} as fail,
  ${counted(`low <> high and latest >= ${start}`)} as crossed
from (
  select unit, min(grp) as low, max(grp) as high, min("time") as since, max("time") as latest
  from (${exposures(exposed, dialect, bind)}) as exposure group by unit
) as unit`;
  return { text, parameters: bind.parameters };
}

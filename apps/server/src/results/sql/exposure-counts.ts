import type { Schema } from "@gatehouse/contract/console";
import { type Assignments, assignmentTable, firstAssignments } from "./assignments.ts";
import type { Dialect } from "./dialect.ts";
import { type Exposed, exposures } from "./exposed.ts";
import { parametersFor, type Statement } from "./statement.ts";

type Experiment = Schema<"Experiment">;

/** The units of a group. */
export type GroupUnits = {
  groupID: string;
  groupName: string;
  /** The group's size, 0 if it is switched off. */
  size: number;
  /** Units that saw this group alone. */
  alone: number;
  /** Units that saw this group and others. */
  crossed: number;
  /** The same, each unit divided among the groups that it saw, so that these numbers add up. */
  crossedShare: number;
};

/** A row of the answer, for a group that units saw. */
export type ExposureCountsRow = { grp: string; alone: number; crossed: number; crossed_share: number };

/** The statement that counts the units of each group, those that saw one group and those that saw more. */
export function exposureCounts(exposed: Exposed, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const shown = `select unit, grp from (${exposures(exposed, dialect, bind)}) as exposed group by unit, grp`;
  return { text: countGroups(shown, dialect), parameters: bind.parameters };
}

/** The same for assignments. */
export function assignmentCounts(assignments: Assignments, scope: Pick<Exposed, "startTime" | "endTime">, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const shown = firstAssignments(assignments, scope, dialect, bind);
  return { text: `with ${assignmentTable(assignments, dialect)}${countGroups(shown, dialect)}`, parameters: bind.parameters };
}

/** The select that counts. @param shown a select of the units, once with each group that they saw */
export function countGroups(shown: string, dialect: Dialect): string {
  const counted = (expression: string) => dialect.double(`sum(case when seen ${expression} end)`);
  return `
select grp, ${counted("= 1 then 1 else 0")} as alone, ${counted("> 1 then 1 else 0")} as crossed,
  ${counted("> 1 then 1.0 / seen else 0")} as crossed_share
from (
  select grp, count(*) over (partition by unit) as seen
  from (${shown}) as exposure
) as shown
group by grp`;
}

/** The units of every group, including groups without exposures. */
export function toGroupUnits({ groups }: Experiment, rows: readonly ExposureCountsRow[]): GroupUnits[] {
  const byID = new Map(rows.map((row) => [row.grp, row]));
  return groups.flatMap(({ id, name, size, disabled }) => {
    if (!id) return [];
    const { alone = 0, crossed = 0, crossed_share = 0 } = byID.get(id) ?? {};
    return [{ groupID: id, groupName: name, size: disabled ? 0 : size, alone, crossed, crossedShare: crossed_share }];
  });
}

import type { Schema } from "@gatehouse/contract/console";
import type { Criterion } from "../plans/plan.ts";
import { meets } from "./criteria.ts";
import type { Dialect } from "./dialect.ts";
import { sourceQuery } from "./source-query.ts";
import type { Bind } from "./statement.ts";

type AssignmentSource = Schema<"AssignmentSource">;
type Experiment = Schema<"Experiment">;
type Filter = Schema<"AssignmentSourceFilter">;

/** The rows of an assignment source, as the engine of the warehouse reads them, and which of them are an experiment's. */
export type Assignments = {
  /** One select. */
  query: string;
  timestampColumn: string;
  /** The type of that column, as the engine names it. */
  timestampType: string;
  /** The column with the ids of units. */
  unitColumn: string;
  experimentIDColumn: string;
  experimentID: string;
  groupIDColumn: string;
  groupNameColumn?: string;
  /** Rows of other groups are left out. */
  groups: readonly { id: string; name: string }[];
  /** Each of a column. */
  criteria: readonly Criterion[];
};

const NOT_COMPARED: Partial<Record<Filter["condition"], string>> = {
  sql_filter: "write the condition into the query of the assignment source",
  after_exposure: "rows of an assignment source are the exposures",
  before_exposure: "rows of an assignment source are the exposures",
};

/** The criterion for a filter, or the reason for refusing it, with the field to change. */
export function toCriterion({ column, condition, values }: Filter): Criterion | { field: "column" | "condition"; reason: string } {
  const refusal = NOT_COMPARED[condition];
  if (refusal !== undefined) return { field: "condition", reason: `cannot be ${condition}: ${refusal}` };
  if (!column) return { field: "column", reason: "is required" };
  return { type: "metadata", column, condition: condition as Criterion["condition"], ...(values && { values }) };
}

type Column = { name: string; type: string };

/** The rows of an experiment in its assignment source, or why they cannot be read. */
export function toAssignments(
  source: AssignmentSource,
  experiment: Experiment,
  columns: readonly Column[],
  dialect: Dialect,
): Assignments | { reason: string } {
  const { name, sql, timestampColumn, experimentIDColumn, groupIDColumn, groupNameColumn, idTypeMapping } = source;
  const { id, idType, groups, assignmentSourceFilters = [], assignmentSourceExperimentName } = experiment;
  const mapping = idTypeMapping.find(({ serviceUnitID }) => serviceUnitID.toLowerCase() === idType.toLowerCase());
  if (!mapping) return { reason: `The assignment source ${name} maps no column to the unit ID type ${idType}.` };
  const criteria: Criterion[] = [];
  for (const filter of assignmentSourceFilters) {
    const criterion = toCriterion(filter);
    if ("reason" in criterion)
      return { reason: `A filter of the assignment source ${name} is not supported: ${criterion.field} ${criterion.reason}.` };
    criteria.push(criterion);
  }
  const types = new Map(columns.map((column) => [column.name, column.type]));
  const ofFilters = criteria.map(({ column = "" }) => column);
  const ofGroups = [groupIDColumn, ...(groupNameColumn === undefined ? [] : [groupNameColumn])];
  const missing = [timestampColumn, mapping.column, experimentIDColumn, ...ofGroups, ...ofFilters].find((column) => !types.has(column));
  if (missing !== undefined) return { reason: `The assignment source ${name} has no column ${missing}.` };
  const timestampType = types.get(timestampColumn) as string;
  if (!dialect.columnTime("", timestampType))
    return { reason: `The column ${timestampColumn} of the assignment source ${name} has the type ${timestampType}, which is not a time.` };
  return {
    ...{ query: sourceQuery({ sourceType: "query", sql, tableName: "" }, dialect), timestampColumn, timestampType },
    ...{ unitColumn: mapping.column, experimentIDColumn, groupIDColumn, ...(groupNameColumn !== undefined && { groupNameColumn }) },
    experimentID: assignmentSourceExperimentName || id,
    groups: groups.flatMap((group) => (group.id ? [{ id: group.id, name: group.name }] : [])),
    criteria,
  };
}

/**
 * The rows `unit`, `grp` and `since` of the assignments before the end: each group that a unit saw, with its first assignment to any. Units that saw
 * one before the start are left out.
 */
export function firstAssignments(
  assignments: Assignments,
  { startTime, endTime }: { startTime: number; endTime: number },
  dialect: Dialect,
  bind: Bind,
): string {
  const first = `select unit, grp, min(min("time")) over (partition by unit) as since from (${assigned(assignments, endTime, dialect, bind)}) as exposure group by unit, grp`;
  return `select unit, grp, since from (${first}) as first where since >= ${bind.integer(startTime)}`;
}

/** The table of the source, which a statement begins with: the names in its query are those of the warehouse. */
export function assignmentTable({ query }: Assignments, dialect: Dialect): string {
  return `source_assignments ${dialect.inlined} (\n${query}\n)`;
}

/** The rows `unit`, `grp` and `time` of the assignments before `end`. Earlier ones count too: users who saw a group before are left out. */
export function assigned(assignments: Assignments, end: number, dialect: Dialect, bind: Bind): string {
  const { timestampColumn, timestampType, unitColumn, experimentIDColumn, experimentID, groupIDColumn, groupNameColumn } = assignments;
  const text = (name: string) => dialect.text(`source.${dialect.name(name)}`);
  const time = dialect.columnTime(`source.${dialect.name(timestampColumn)}`, timestampType);
  if (!time) throw new TypeError(`The column ${timestampColumn} of the type ${timestampType} has no times.`);
  const { groups, criteria } = assignments;
  const ids = bind.texts(groups.map(({ id }) => id));
  const named =
    groupNameColumn === undefined
      ? []
      : groups.map(({ id, name }) => `when ${text(groupNameColumn)} = ${bind.text(name)} then ${bind.text(id)}`);
  const group = `case when ${dialect.isIn(text(groupIDColumn), ids)} then ${text(groupIDColumn)} ${named.join(" ")} else '' end`;
  const conditions = [
    `${text(experimentIDColumn)} = ${bind.text(experimentID)}`,
    ...criteria.map((one) => meets(one, text(one.column ?? ""), dialect, bind)),
  ];
  // Rows without a time, a unit or a group of the experiment do not count.
  return `select unit, grp, "time" from (
    select coalesce(${text(unitColumn)}, '') as unit, coalesce(${group}, '') as grp, coalesce(${time.ms}, ${bind.integer(end)}) as "time"
    from source_assignments as source where ${conditions.join(" and ")}
  ) as assigned where unit <> '' and grp <> '' and "time" < ${bind.integer(end)}`;
}

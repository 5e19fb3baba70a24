import type { Schema } from "@gatehouse/contract/console";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Analysis } from "./analysis.ts";
import { type Assignments, assignmentTable, firstAssignments } from "./assignments.ts";
import type { Dialect } from "./dialect.ts";
import { countGroups } from "./exposure-counts.ts";
import { unitsTable } from "./moments-query.ts";
import type { SourceTable } from "./source-query.ts";
import { sourceQuery } from "./source-query.ts";
import { rowTimes } from "./source-rows.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";

type EntityPropertySource = Schema<"EntityPropertySource">;
type Column = { name: string; type: string };

/** A column of an entity property source, as the engine of the warehouse reads it. */
export type Property = {
  /** One select. */
  query: string;
  column: string;
  /** The column with the ids of units. */
  unitColumn: string;
  /** Since when a row is known. Of sources without, the rows are always true. */
  known?: { column: string; type: string; isDaily: boolean };
};

/** The warehouse's data about units. */
export type Refining = {
  property?: Property | undefined;
  /** The rows that qualify a unit: it needs one. */
  qualifying?: SourceTable | undefined;
};

/** A property of units, or why it cannot be read. */
export function toProperty(
  source: EntityPropertySource,
  { column, idType, columns }: { column: string; idType: string; columns: readonly Column[] },
  dialect: Dialect,
): Property | { reason: string } {
  const { name, sql, timestampColumn, timestampAsDay: isDaily, idTypeMapping } = source;
  const mapping = idTypeMapping.find(({ serviceUnitID }) => serviceUnitID.toLowerCase() === idType.toLowerCase());
  if (!mapping) return { reason: `The entity property source ${name} maps no column to the unit ID type ${idType}.` };
  const types = new Map(columns.map((one) => [one.name, one.type]));
  const missing = [mapping.column, column, ...(timestampColumn ? [timestampColumn] : [])].find((one) => !types.has(one));
  if (missing !== undefined) return { reason: `The entity property source ${name} has no column ${missing}.` };
  const property = { query: sourceQuery({ sourceType: "query", sql, tableName: "" }, dialect), column, unitColumn: mapping.column };
  if (!timestampColumn) return property;
  const type = types.get(timestampColumn) as string;
  if (!dialect.columnTime("", type))
    return { reason: `The column ${timestampColumn} of the entity property source ${name} has the type ${type}, which is not a time.` };
  return { ...property, known: { column: timestampColumn, type, isDaily } };
}

/**
 * The statement that answers the units of an analysis again (`UnitsRow`): with a property as `dimension`, as it was at the first exposure, and
 * since when each qualifies. Units that never do are left out. The units of the analysis count from their first exposure on.
 */
export function refinedUnitsQuery({ property, qualifying }: Refining, analysis: Analysis, most: number, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { units, days, end } = analysis;
  const tables = [
    ...(typeof units === "object" ? [assignmentTable(units, dialect)] : []),
    ...(property ? [`source_property ${dialect.inlined} (\n${property.query}\n)`] : []),
    ...(qualifying ? [qualifyingTable(qualifying, dialect)] : []),
    unitsTable(analysis, dialect, bind),
    ...(property ? [`property_value as (\n  ${propertyValues(property, dialect, bind)}\n)`] : []),
    ...(qualifying
      ? [
          `qualified as (
  select unit.unit as unit, min(done."time") as since from (${qualifyingRows(qualifying, { since: days[0] ?? 0, end }, dialect, bind)}) as done
  join unit on unit.id = done.unit where done."time" >= unit.since and done."time" < ${bind.integer(end)} group by unit.unit
)`,
        ]
      : []),
  ];
  const since = qualifying ? "qualified.since" : "unit.since";
  const joins = [
    ...(qualifying ? ["join qualified on qualified.unit = unit.unit"] : []),
    ...(property ? ["left join property_value on property_value.unit = unit.unit"] : []),
  ];
  const text = `
with ${tables.join(",\n")}
select count(*) as units, ${dialect.listedUnits(["id", "grp", "since", "dim", "delay"])} as listed
from (
  select unit.id as id, unit.grp as grp, ${since} as since, ${property ? "property_value.dim" : "unit.dim"} as dim, ${since} - unit.since as delay
  from unit ${joins.join(" ")} limit ${most + 1}
) as listing`;
  return { text, parameters: bind.parameters };
}

/**
 * The statement that counts each group's qualifying units, those that saw one group and those that saw more (`ExposureCountsRow`).
 * @param shown a JSON text with a `GivenUnit` for each group of a unit, with its first exposure to any, or the assignments
 */
export function qualifiedCounts(
  shown: string | Assignments,
  qualifying: SourceTable,
  { startTime, endTime }: { startTime: number; endTime: number },
  dialect: Dialect,
): Statement {
  const bind = parametersFor(dialect);
  const [table, rows] =
    typeof shown === "string"
      ? ["", `select id as unit, grp, since from ${dialect.unitRows(bind.text(shown))}`]
      : [`${assignmentTable(shown, dialect)},\n`, firstAssignments(shown, { startTime, endTime }, dialect, bind)];
  const text = `
with ${table}${qualifyingTable(qualifying, dialect)},
seen ${dialect.shared} (${rows}),
qualified as (
  select distinct seen.unit as unit from (${qualifyingRows(qualifying, { since: startTime, end: endTime }, dialect, bind)}) as done
  join seen on seen.unit = done.unit where done."time" >= seen.since and done."time" < ${bind.integer(endTime)}
)${countGroups("select seen.unit as unit, seen.grp as grp from seen join qualified on qualified.unit = seen.unit", dialect)}`;
  return { text, parameters: bind.parameters };
}

const qualifyingTable = ({ query }: SourceTable, dialect: Dialect) => `source_qualifying ${dialect.inlined} (\n${query}\n)`;

/** The rows `unit` and `time` of a qualifying event. */
function qualifyingRows(qualifying: SourceTable, within: { since: number; end: number }, dialect: Dialect, bind: Bind): string {
  const { unit, ms, conditions } = rowTimes(qualifying, within, dialect, bind);
  return `select ${unit} as unit, ${ms} as "time" from source_qualifying as source where ${conditions}`;
}

/** The value of each unit that has a row. Among rows of the same time, a hash chooses, so that each statement finds the same one. */
function propertyValues({ column, unitColumn, known }: Property, dialect: Dialect, bind: Bind): string {
  const at = (name: string) => `source.${dialect.name(name)}`;
  const value = dialect.text(at(column));
  const join = `from source_property as source join unit on unit.id = ${dialect.text(at(unitColumn))}`;
  const hash = dialect.hash(`coalesce(${value}, '')`);
  if (!known)
    return `select unit.unit as unit, ${dialect.firstBy(value, [hash, value], `${value} is not null`)} as dim ${join} group by unit.unit`;
  const time = dialect.columnTime(at(known.column), known.type);
  if (!time) throw new TypeError(`The column ${known.column} of the type ${known.type} has no times.`);
  // A value for the end of a day is older than events on the next one.
  const since = known.isDaily ? `${time.ms} + ${bind.integer(DAY_MS)}` : time.ms;
  return `select unit, ${dialect.lastBy(`"value"`, [`"time"`, "hash"], "true")} as dim from (
    select unit.unit as unit, ${value} as "value", ${since} as "time", ${hash} as hash, unit.since as since ${join}
  ) as known where "time" <= since group by unit`;
}

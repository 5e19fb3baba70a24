import { toDate } from "../../common/local-day.ts";
import { UTC } from "../../common/time-zone.ts";
import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import { isActivity, type Term } from "../plans/plan.ts";
import { type Assignments, assignmentTable } from "./assignments.ts";
import type { Dialect } from "./dialect.ts";
import { eventsOfMarker } from "./marked.ts";
import type { SourceTable } from "./source-query.ts";
import type { Bind } from "./statement.ts";

/** The names of the columns that terms read of rows, by the name of their source. */
export function columnsRead(terms: readonly Term[]): Map<string, string[]> {
  const read = new Map<string, Set<string>>();
  for (const { sources, fold } of terms)
    for (const source of sources) {
      const rows = "marks" in source ? (isActivity(source) ? [] : eventsOfMarker(source)) : [source];
      for (const { event, criteria, number } of rows) {
        const columns = read.get(event) ?? new Set();
        read.set(event, columns);
        for (const { column } of criteria) if (column !== undefined) columns.add(column);
        if (number.of === "metadata") columns.add(number.key);
        if (fold.by === "distinct") columns.add(fold.key);
      }
    }
  return new Map([...read].map(([name, columns]) => [name, [...columns].sort()]));
}

/** The table of a source, before all tables of the statement: the names in its query are those of the warehouse. */
const sourceTableName = (index: number) => `source_${index}`;

/** The tables of the sources that terms and units are read from, which a statement begins with. */
export function sourceTables(
  terms: readonly Term[],
  { sources = [], units }: { sources?: readonly SourceTable[] | undefined; units?: string | Assignments | undefined },
  dialect: Dialect,
): string {
  const read = columnsRead(terms);
  const ofUnits = typeof units === "object" ? [assignmentTable(units, dialect)] : [];
  const ofTerms = sources.flatMap(({ name, query }, index) =>
    read.has(name) ? [`${sourceTableName(index)} ${dialect.inlined} (\n${query}\n)`] : [],
  );
  return [...ofUnits, ...ofTerms].map((table) => `${table},\n`).join("");
}

/** The table `logged`: the rows of sources in the form of events, whose user has the id of the unit. */
export function loggedRows(
  terms: readonly Term[],
  sources: readonly SourceTable[],
  { since, end }: { since: number; end: number },
  dialect: Dialect,
  bind: Bind,
): string {
  const read = columnsRead(terms);
  const selects = sources.flatMap((source, index) => {
    const columns = read.get(source.name);
    return columns ? [selectRows(source, { table: sourceTableName(index), columns, since, end }, dialect, bind)] : [];
  });
  return `logged ${dialect.inlined} (\n  ${selects.join("\n  union all\n  ")}\n)`;
}

type Rows = { table: string; columns: readonly string[]; since: number; end: number };

function selectRows(source: SourceTable, { table, columns, since, end }: Rows, dialect: Dialect, bind: Bind): string {
  const { unit, ms, conditions } = rowTimes(source, { since, end }, dialect, bind);
  const values = columns.map((name) => [name, source.formulas.get(name) ?? sourceColumn(name, dialect)] as const);
  // Rows have no number. A hash of their columns gives rows of the same time a stable order.
  return `select "name", '' as "value", "metadata", '' as "userFields", "userID", '' as "customIDs", ${dialect.hash(`"metadata"`)} as "id", "time" from (
    select ${bind.text(source.name)} as "name", ${values.length > 0 ? dialect.jsonObject(values) : "'{}'"} as "metadata",
      ${unit} as "userID", ${ms} as "time"
  from ${table} as source where ${conditions}
  ) as read`;
}

const sourceColumn = (name: string, dialect: Dialect) => `source.${dialect.name(name)}`;

/** The unit and the time of a row of the table `source`, and which rows can count between two times. */
export function rowTimes(source: SourceTable, { since, end }: { since: number; end: number }, dialect: Dialect, bind: Bind) {
  const time = dialect.columnTime(sourceColumn(source.timestampColumn, dialect), source.timestampType);
  if (!time) throw new TypeError(`The column ${source.timestampColumn} of the type ${source.timestampType} has no times.`);
  const unit = sourceColumn(source.unitColumn, dialect);
  const conditions = [
    `${unit} is not null`,
    time.isSince(source.isDaily ? utcDay(since) * DAY_MS : since),
    ...(source.partition ? [`${sourceColumn(source.partition.column, dialect)} >= '${toDate(since - DAY_MS, UTC)}'`] : []),
  ];
  return {
    unit: dialect.text(unit),
    ms: source.isDaily ? `least(${time.ms} + ${bind.integer(DAY_MS - 1)}, ${bind.integer(end - 1)})` : time.ms,
    conditions: conditions.join(" and "),
  };
}

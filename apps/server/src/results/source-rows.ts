import { type Assignments, assignmentTable } from "./assignments.ts";
import { dateOf } from "./day.ts";
import type { Dialect } from "./dialect.ts";
import { eventsOfMarker } from "./marked.ts";
import { isActivity, type Term } from "./plan.ts";
import { DAY_MS } from "./plan-terms.ts";
import type { Bind } from "./statement.ts";
import { UTC } from "./time-zone.ts";

/** A unit of which a warehouse is asked: its id, its group, its first exposure in ms, and the value of a dimension. */
export type GivenUnit = readonly [id: string, group: string, since: number, dimension: string | null];

/** The rows of a metric source, as the engine of the warehouse reads them. */
export type SourceTable = {
  name: string;
  /** One select. */
  query: string;
  timestampColumn: string;
  /** The type of that column, as the engine names it. */
  timestampType: string;
  /** Whether rows tell only the day. They count as of its end, so that those of the day of an exposure follow it. */
  isDaily: boolean;
  /** The column with the ids of units. */
  unitColumn: string;
  /** A further column that is compared with the day of the first row that counts. */
  partition?: { column: string };
  /** Columns that are computed, by their name. */
  formulas: ReadonlyMap<string, string>;
};

/** Where results are computed instead of the engine that has events. */
export type Warehouse = {
  sources: readonly SourceTable[];
  /** A JSON text with a list of `GivenUnit`, or the rows of the warehouse that say which units there are. */
  units: string | Assignments;
};

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
const nameOf = (index: number) => `source_${index}`;

/** The tables of the sources that terms and units are read from, which a statement begins with. */
export function sourceTables(
  terms: readonly Term[],
  { sources, units }: Pick<Warehouse, "sources"> & Partial<Warehouse>,
  dialect: Dialect,
): string {
  const read = columnsRead(terms);
  const ofUnits = typeof units === "object" ? [assignmentTable(units, dialect)] : [];
  const ofTerms = sources.flatMap(({ name, query }, index) =>
    read.has(name) ? [`${nameOf(index)} ${dialect.inlined} (\n${query}\n)`] : [],
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
    return columns ? [rowsOf(source, { table: nameOf(index), columns, since, end }, dialect, bind)] : [];
  });
  return `logged ${dialect.inlined} (\n  ${selects.join("\n  union all\n  ")}\n)`;
}

type Rows = { table: string; columns: readonly string[]; since: number; end: number };

function rowsOf(source: SourceTable, { table, columns, since, end }: Rows, dialect: Dialect, bind: Bind): string {
  const column = (name: string) => `source.${dialect.name(name)}`;
  const expressionOf = (name: string) => source.formulas.get(name) ?? column(name);
  const time = dialect.timeOf(column(source.timestampColumn), source.timestampType);
  if (!time) throw new TypeError(`The column ${source.timestampColumn} of the type ${source.timestampType} has no times.`);
  const ms = source.isDaily ? `least(${time.ms} + ${bind.integer(DAY_MS - 1)}, ${bind.integer(end - 1)})` : time.ms;
  const from = dateOf(since - DAY_MS, UTC);
  const conditions = [
    `${column(source.unitColumn)} is not null`,
    time.isSince(source.isDaily ? Math.floor(since / DAY_MS) * DAY_MS : since),
    ...(source.partition ? [`${column(source.partition.column)} >= '${from}'`] : []),
  ];
  const values = columns.map((name) => [name, expressionOf(name)] as const);
  // Rows have no number. What follows from their columns orders those of the same time in the same way each time.
  return `select "name", '' as "value", "metadata", '' as "userFields", "userID", '' as "customIDs", ${dialect.hash(`"metadata"`)} as "id", "time" from (
    select ${bind.text(source.name)} as "name", ${values.length > 0 ? dialect.jsonOf(values) : "'{}'"} as "metadata",
      ${dialect.text(column(source.unitColumn))} as "userID", ${ms} as "time"
  from ${table} as source where ${conditions.join(" and ")}
  ) as read`;
}

import type { Schema } from "@gatehouse/contract/console";
import type { Dialect } from "./dialect.ts";
import type { Statement } from "./statement.ts";

type MetricSource = Schema<"MetricSource">;
type Origin = Pick<MetricSource, "sourceType" | "sql" | "tableName">;
type Formulas = MetricSource["customFieldMapping"];

/** A column of a select, with its type as the engine names it. */
type Column = { name: string; type: string };

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

/** The maximum size of a preview. */
export const PREVIEW = { columns: 100, rows: 10, characters: 200 };

/** The select that answers the rows of a source. */
export function sourceQuery({ sourceType, sql, tableName }: Origin, dialect: Dialect): string {
  if (sourceType !== "table") return withoutEnd(sql);
  return `select * from ${tableName.split(".").map(dialect.name).join(".")}`;
}

/** The query without the semicolons and white space at its end. A pattern would try each run of white space again. */
function withoutEnd(sql: string): string {
  let length = sql.length;
  while (length > 0 && /[;\s]/.test(sql[length - 1] as string)) length -= 1;
  return sql.slice(0, length);
}

/** The same with the columns that formulas compute after its own. */
export function withFormulas(query: string, formulas: Readonly<Formulas>, dialect: Dialect): string {
  if (formulas.length === 0) return query;
  const computed = formulas.map(({ key, formula }) => `(\n${formula}\n) as ${dialect.name(key)}`);
  return `select source.*, ${computed.join(", ")} from (\n${query}\n) as source`;
}

/** The statement that answers ten rows of a select, with its columns as texts `c0`, `c1` … */
export function previewQuery(query: string, columns: readonly Column[], dialect: Dialect): Statement {
  const texts = columns.map(
    ({ name }, index) => `${dialect.start(dialect.text(`source.${dialect.name(name)}`), PREVIEW.characters)} as c${index}`,
  );
  return { text: `select ${texts.join(", ")} from (\n${query}\n) as source limit ${PREVIEW.rows}`, parameters: [] };
}

type Asked = {
  columns: readonly Column[];
  /** The type of the units that are compared. */
  idType: string;
  /** The columns that metrics read. */
  read: readonly string[];
  /** The name for the source in messages. Default: metric source. */
  noun?: string;
};

/** The rows of a source as results read them, or why they cannot be read. */
export function toSourceTable(
  source: Omit<MetricSource, "isVerified">,
  { columns, idType, read, noun = "metric source" }: Asked,
  dialect: Dialect,
): SourceTable | { reason: string } {
  const { name, timestampColumn, datePartitionColumn, customFieldMapping, idTypeMapping } = source;
  const types = new Map(columns.map((column) => [column.name, column.type]));
  const formulas = new Map(customFieldMapping.map(({ key, formula }) => [key, `(\n${formula}\n)`]));
  const mapping = idTypeMapping.find(({ serviceUnitID }) => serviceUnitID.toLowerCase() === idType.toLowerCase());
  if (!mapping) return { reason: `The ${noun} ${name} maps no column to the unit ID type ${idType}.` };
  const partition = source.sourceType === "table" && datePartitionColumn ? [datePartitionColumn] : [];
  const needed = [timestampColumn, mapping.column, ...partition, ...read.filter((column) => !formulas.has(column))];
  const missing = needed.find((column) => !types.has(column));
  if (missing !== undefined) return { reason: `The ${noun} ${name} has no column ${missing}.` };
  const timestampType = types.get(timestampColumn) as string;
  if (!dialect.columnTime("", timestampType))
    return { reason: `The column ${timestampColumn} of the ${noun} ${name} has the type ${timestampType}, which is not a time.` };
  return {
    ...{ name, query: sourceQuery(source, dialect), timestampColumn, timestampType, formulas },
    ...{ isDaily: source.timestampAsDay, unitColumn: mapping.column },
    ...(partition[0] !== undefined && { partition: { column: partition[0] } }),
  };
}

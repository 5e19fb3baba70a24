import { DAY_MS } from "../../common/utc-day.ts";
import type { Dialect } from "./dialect.ts";
import { parametersFor, type Statement } from "./statement.ts";

/** The rows that are copied from a warehouse, as its engine reads them. */
export type CopiedRows = {
  /** One select. */
  query: string;
  timestampColumn: string;
  /** The type of that column, as the engine names it. */
  timestampType: string;
  /** All columns that are read, ascending. */
  columns: readonly string[];
};

/** Rows of the same texts. */
export type EqualRows = {
  /** Follows from the texts, and orders rows. */
  identity: string;
  /** Their columns, as a JSON text that `Texts` describes. Null if they are too large. */
  fields: string | null;
  /** Ms since the epoch. */
  time: number;
  /** How many there are. */
  times: number;
};

/** The columns of a row, as texts. */
export type Texts = Readonly<Record<string, string | null>>;

/** The most that one statement answers: rows, their characters, and characters of a row. Beyond its limit, a row has no fields. */
const MOST = { rows: 20_000, size: 16 * 2 ** 20, rowSize: 2 ** 20 };

/** The statement that reads the next rows of a day in UTC after an identity, ordered by identity. It returns none after the last one. */
export function dayRows({ query, columns, ...timed }: CopiedRows, day: number, after: string, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const fields = dialect.jsonObject(columns.map((name) => [name, `source.${dialect.name(name)}`]));
  const time = timeIn(timed, dialect);
  // The limit includes all rows equal to a returned one.
  const text = `
with source_rows ${dialect.inlined} (
${query}
),
listed as (
  select ${fields} as fields, ${time.ms} as "time" from source_rows as source where ${time.isOn(day)}
  ${dialect.once}
),
following as (
  select "identity", fields, "time" from (select ${dialect.identity("fields")} as "identity", fields, "time" from listed) as identified
  where "identity" > ${bind.text(after)} order by "identity" offset 0 rows fetch first ${MOST.rows} rows with ties
),
equal as (
  select "identity", min(fields) as fields, min("time") as "time", count(*) as times from following group by "identity"
),
measured as (
  select "identity", fields, "time", times, char_length(fields) as size, min("identity") over () as next,
    sum(char_length(fields)) over (order by "identity") as total
  from equal
)
select "identity", case when size <= ${MOST.rowSize} then fields end as fields, ${dialect.double(`"time"`)} as "time", ${dialect.double("times")} as times
from measured where total <= ${MOST.size} or "identity" = next order by "identity"`;
  return { text, parameters: bind.parameters };
}

/** The statement that counts the rows of days, each in a column `d0`, `d1` … of its one row. */
export function dayCounts({ query, ...timed }: CopiedRows, days: readonly number[], dialect: Dialect): Statement {
  const time = timeIn(timed, dialect);
  const counts = days.map((day, index) => `${dialect.double(`count(case when ${time.isOn(day)} then 1 end)`)} as d${index}`);
  const first = time.isSince(Math.min(...days) * DAY_MS);
  const text = `
with source_rows ${dialect.inlined} (
${query}
)
select ${counts.join(", ")} from source_rows as source where ${first}`;
  return { text, parameters: [] };
}

function timeIn({ timestampColumn, timestampType }: Pick<CopiedRows, "timestampColumn" | "timestampType">, dialect: Dialect) {
  const time = dialect.columnTime(`source.${dialect.name(timestampColumn)}`, timestampType);
  if (!time) throw new TypeError(`The column ${timestampColumn} of the type ${timestampType} has no times.`);
  return { ...time, isOn: (day: number) => `${time.isSince(day * DAY_MS)} and not ${time.isSince((day + 1) * DAY_MS)}` };
}
